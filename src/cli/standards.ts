import { phaseNamed } from '../../workers/phases/catalogue.js';
import { type Comparison, compareSubjects, verdictOf } from '../compare/comparison.js';
import { differencesOf, factsOfReport } from '../compare/facts.js';
import { subjectOfResults } from '../compare/results.js';
import { type Subject, subjectOfReport } from '../compare/subject.js';
import { GobonnieError } from '../errors.js';
import { comparisonFormatsIn } from '../format/comparison.js';
import { expectationLine } from '../format/expectations.js';
import type { Paint } from '../format/paint.js';
import type { Plan } from '../plan.js';
import { draft } from '../report/draft.js';
import { type Expectation, judgeExpectation, parseExpectation } from '../report/expectation.js';
import type { Report } from '../report/report.js';
import { unlikenessError } from './commands/compare.js';
import type { Presentation } from './presentation.js';
import { type ReadingProcess, resultsOf } from './result-files.js';

const THIS_RUN = 'this run';

/** What a run is held against when it is over. */
export interface Standards {
  readonly expectations: readonly Expectation[];
  readonly baseline: Subject | null;
  readonly maxRegressionPercent: number;
  readonly force: boolean;
}

/** What became of it. */
export interface Judgement {
  /** With what was expected of it. */
  readonly report: Report;
  readonly comparison: Comparison | null;
  readonly isMet: boolean;
}

/** Before anything is measured: all that could be wrong with them is refused. */
export async function readStandards(
  { expect, baseline, maxRegression, force }: Presentation,
  phases: readonly string[],
  process: ReadingProcess,
): Promise<Standards> {
  return {
    expectations: expect.map((text) => parseExpectation(text, phases.map(phaseNamed))),
    baseline: baseline === undefined ? null : await readBaseline(baseline, process),
    maxRegressionPercent: maxRegression,
    force,
  };
}

async function readBaseline(file: string, process: ReadingProcess): Promise<Subject> {
  try {
    return subjectOfResults(file, await resultsOf(file, process));
  } catch (error) {
    if (!(error instanceof GobonnieError)) throw error;
    throw new GobonnieError('option-invalid', `--baseline: ${error.message}`, error.hint, { cause: error });
  }
}

/** What is not going to be measured as the baseline was, and would leave it without a verdict. */
export function refuseUnlikeBaseline({ baseline, force }: Standards, plan: Plan): void {
  if (!baseline || force) return;
  const differences = differencesOf(baseline.facts[0] ?? [], factsOfReport(draft(plan, new Date())));
  if (differences.length > 0) throw unlikenessError({ before: baseline.name, after: THIS_RUN, differences });
}

/** Of a run that came to its end. */
export function judgeReport(
  report: Report,
  { expectations, baseline, maxRegressionPercent }: Standards,
): Judgement {
  const verdicts = expectations.map((expectation) => judgeExpectation(expectation, report));
  const comparison =
    baseline && compareSubjects(baseline, subjectOfReport(THIS_RUN, report), { maxRegressionPercent });
  const hasRegressed = comparison !== null && verdictOf(comparison) === 'regression';
  return {
    report: verdicts.length > 0 ? { ...report, expectations: verdicts } : report,
    comparison,
    isMet: !hasRegressed && verdicts.every(({ isMet }) => isMet),
  };
}

/** What is said of it; only what is not as it should be, where little is to be said. */
export function judgementLines(
  { report, comparison, isMet }: Judgement,
  isQuiet: boolean,
  paint: Paint,
): readonly string[] {
  const { expectations = [] } = report;
  const told = isQuiet ? expectations.filter((verdict) => !verdict.isMet) : expectations;
  const compared = comparison && (!isQuiet || !isMet) ? comparisonFormatsIn(paint).text([comparison]) : '';
  return [
    ...compared.split('\n').filter((line) => line !== ''),
    ...told.map((verdict) => (verdict.isMet ? paint.good : paint.bad)(expectationLine(verdict))),
  ];
}
