import { evaluateExpectation, parseExpectation } from '../checks/expectation.js';
import { compareSides, findWorstVerdict, previewDifferences } from '../compare/comparison.js';
import type { Comparison, ComparisonVerdict } from '../compare/comparison-schema.js';
import { comparedProperties, incomparableError } from '../compare/differences.js';
import { toComparisonSide } from '../compare/side.js';
import { GobonnieError, optionError } from '../errors.js';
import type { Baseline } from '../format/format.js';
import { type ComparisonStyle, createComparisonFormats } from '../format/human/comparison-format.js';
import { inconclusiveLines } from '../format/human/conclusion.js';
import { expectationLine } from '../format/human/sentences.js';
import type { Options } from '../options/options-schema.js';
import { listSteps } from '../options/step-names.js';
import type { RunPlan } from '../plan/plan.js';
import { toResults } from '../report/report-to-results.js';
import type { Report } from '../report/schema/report.js';
import { emptyReport } from '../run/empty-report.js';
import { hasCode } from '../system-error.js';
import { sanitize } from '../text/escape.js';
import { flag, msg } from '../text/message-template.js';
import type { CliOptions } from './argv/cli-options.js';
import { fileOptionMessage } from './argv/dialect.js';
import { EXIT_CODES } from './exit-codes.js';
import { readResultFile } from './files/input-file.js';
import type { CliProcess } from './output/terminal.js';

const THIS_RUN = 'this run';

/** Expectations and the baseline, which a run must meet at its end. */
type PassCriteria = Awaited<ReturnType<typeof readPassCriteria>>;

export interface Evaluation {
  /** Report that includes the verdicts on the expectations. */
  readonly report: Report;
  readonly baseline: Baseline | undefined;
  /** Exit code of a completed run. */
  readonly exitCode: number;
}

/** Reads the criteria before the run. Throws if one of them is invalid. */
export async function readPassCriteria(cliOptions: CliOptions, options: Options, process: CliProcess) {
  const { expect, baseline, allowCached } = cliOptions;
  return {
    cliOptions,
    expectations: expect.map((text) => parseExpectation(text, listSteps(options))),
    baseline: baseline === undefined ? null : await readBaseline(baseline, allowCached, process),
  };
}

async function readBaseline(file: string, allowCached: boolean, process: CliProcess) {
  try {
    const results = await readResultFile(file, process);
    return { subject: toComparisonSide(file, results, allowCached), results };
  } catch (error) {
    if (!(error instanceof GobonnieError)) throw error;
    const isMissing = hasCode(error.cause, 'ENOENT');
    throw optionError(
      fileOptionMessage('baseline', file, error),
      isMissing ? msg`create it first with ${flag('out', file)}` : error.hint,
      { cause: error },
    );
  }
}

/** Rejects a baseline that is not comparable with this run, before the run starts. */
export function rejectUnlikeBaseline({ baseline, cliOptions }: PassCriteria, plan: RunPlan): void {
  if (!baseline) return;
  const after = { name: THIS_RUN, properties: comparedProperties({ report: emptyReport(plan), runs: [] }) };
  const steps = plan.steps.map(({ name }) => name);
  const differences = previewDifferences(baseline.subject, after, steps);
  if (differences.length > 0 && !cliOptions.force)
    throw incomparableError({ before: baseline.subject.name, after: THIS_RUN, differences });
}

/** Evaluates a run. A run that did not complete has no verdicts. */
export function evaluateReport(
  report: Report,
  { expectations, baseline, cliOptions }: PassCriteria,
): Evaluation {
  const { maxRegression, force, allowCached } = cliOptions;
  if (report.outcome.state !== 'completed')
    return { report, baseline: undefined, exitCode: EXIT_CODES.success };
  const results = expectations.map((expectation) => evaluateExpectation(expectation, report, allowCached));
  const meetsExpectations = results.every(({ passed }) => passed);
  const evaluated = results.length > 0 ? { ...report, expectations: results } : report;
  if (!baseline)
    return { report: evaluated, baseline: undefined, exitCode: computeExitCode('pass', meetsExpectations) };
  const after = toComparisonSide(THIS_RUN, [toResults(report)], allowCached);
  const comparison = compareSides(baseline.subject, after, { maxRegressionPercent: maxRegression, force });
  const exitCode = computeExitCode(findWorstVerdict(comparison), meetsExpectations);
  return { report: evaluated, baseline: { results: baseline.results, comparison }, exitCode };
}

function computeExitCode(verdict: ComparisonVerdict | null, meetsExpectations: boolean): number {
  if (!meetsExpectations || verdict === 'regression' || verdict === 'cached') return EXIT_CODES.unmet;
  return verdict === null ? EXIT_CODES.usage : EXIT_CODES.success;
}

/** Returns lines for stderr; if quiet, only failed expectations, regressions and inconclusive results. */
export function evaluationLines(
  { report, baseline, exitCode }: Evaluation,
  isQuiet: boolean,
  style: Pick<ComparisonStyle, 'paint' | 'columns'>,
): readonly string[] {
  const { paint } = style;
  const { expectations = [] } = report;
  const comparison = baseline?.comparison;
  const lines = [...comparisonLines(comparison, isQuiet, style)];
  for (const verdict of expectations) {
    const color = verdict.passed ? paint.good : paint.bad;
    if (!isQuiet || !verdict.passed) lines.push(color(expectationLine(verdict)));
  }
  if (comparison && exitCode === EXIT_CODES.usage)
    lines.push(`gobonnie: ${incomparableError(comparison).line}`);
  return lines;
}

/** Returns only the inconclusive results if quiet and nothing regressed. */
function comparisonLines(
  comparison: Comparison | undefined,
  isQuiet: boolean,
  style: Pick<ComparisonStyle, 'paint' | 'columns'>,
): readonly string[] {
  if (!comparison) return [];
  if (isQuiet && findWorstVerdict(comparison) !== 'regression')
    return inconclusiveLines(comparison).map(sanitize);
  const lines = createComparisonFormats(style).text([comparison]).trimEnd().split('\n');
  // An empty line separates the table in a terminal.
  return Number.isFinite(style.columns) ? ['', ...lines] : lines.filter((line) => line !== '');
}
