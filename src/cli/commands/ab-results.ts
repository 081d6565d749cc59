import { compareSubjects } from '../../compare/comparison.js';
import { pairCount, standingsOf } from '../../compare/standings.js';
import { subjectOf } from '../../compare/subject.js';
import type { Format } from '../../format/format.js';
import { formats, renderReports } from '../../format/index.js';
import type { Standings } from '../../format/people/standings.js';
import type { Plan } from '../../plan/plan.js';
import { isComplete } from '../../report/results.js';
import { resultsOfReport } from '../../report/results-of-report.js';
import type { Report } from '../../report/schema/report.js';
import { shown } from '../../text/escape.js';
import { type Annotation, annotationsOf } from '../output/github.js';

/** For people, who is faster comes first. */
export function renderHeaded(format: Format, heading: string, reports: readonly Report[]): string {
  const sections = renderReports(format, reports);
  return heading && format === formats.markdown ? `${heading}\n${sections}` : sections;
}

/** A failure in one directory has stopped the others. */
export function wholeOf(reports: readonly Report[]): Pick<Report, 'outcome' | 'runs'> {
  const outcomes = reports.map(({ outcome }) => outcome);
  const outcome =
    outcomes.find(({ state }) => state === 'failed') ?? outcomes.find(({ state }) => state !== 'completed');
  return { outcome: outcome ?? { state: 'completed' }, runs: reports.flatMap(({ runs }) => runs) };
}

export function annotationsOfAll(reports: readonly Report[], plans: readonly Plan[]): readonly Annotation[] {
  return reports.flatMap((report, index) =>
    annotationsOf(report).map((one) => ({
      ...one,
      message: `${shown(plans[index]?.directory)}: ${one.message}`,
    })),
  );
}

/** Of the rounds in which every directory was measured. Null if there is none. */
export function standingsIn(reports: readonly Report[], plans: readonly Plan[]): Standings | null {
  const rounds = Math.min(...reports.map((report) => completeRuns(report).length));
  if (rounds === 0) return null;
  const [first, ...others] = reports.map((report, index) =>
    subjectOf(plans[index]?.directory ?? '', [
      resultsOfReport({ ...report, runs: completeRuns(report).slice(0, rounds) }),
    ]),
  );
  if (!first) return null;
  const method = {
    method: 'paired',
    maxRegressionPercent: null,
    comparisons: pairCount(reports.length),
  } as const;
  return [others.map((other) => compareSubjects(first, other, method)), standingsOf([first, ...others])];
}

function completeRuns({ runs }: Report): Report['runs'] {
  return runs.filter(isComplete);
}
