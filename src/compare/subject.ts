import { GobonnieError } from '../errors.js';
import type { Unit } from '../report/amount.js';
import { type Metric, metricName, metrics, valuesOf } from '../report/metrics.js';
import { completeRuns, type PhaseFigures, phasesOf, type Results } from '../report/results.js';
import { resultsOfReport } from '../report/results-of-report.js';
import type { Report } from '../report/schema/report.js';
import { shown } from '../text/escape.js';
import { groupsOf } from '../text/groups.js';
import { type Fact, factsOf } from './facts.js';

/** The values of one metric, one for each run. */
export interface MetricSample {
  /** `read`, `read.p99`. */
  readonly name: string;
  readonly unit: Unit;
  readonly better: Metric['better'];
  readonly role: NonNullable<Metric['role']>;
  readonly values: readonly number[];
}

/** One side of a comparison, from one document or several. */
export interface Subject {
  readonly name: string;
  /** One list for each document. */
  readonly facts: readonly (readonly Fact[])[];
  readonly samples: readonly MetricSample[];
}

/** Throws if there is no complete run. */
export function subjectOf(name: string, results: readonly Results[]): Subject {
  const samples = groupsOf(results.flatMap(samplesOf), (sample) => sample.name).map(([first, ...others]) => ({
    ...first,
    values: [first, ...others].flatMap(({ values }) => values),
  }));
  if (samples.length > 0) return { name, facts: results.flatMap(factsOf), samples };
  throw new GobonnieError('unreadable', `${shown(name)} holds no complete run`, 'give a report that has one');
}

/** The subject of a report that is yet to be measured: its samples have no values. */
export function expectedSubject(
  name: string,
  report: Report,
  phases: readonly (Pick<PhaseFigures, 'figure'> & { readonly name: string })[],
): Subject {
  const samples = phases.flatMap(({ name: phase, figure }) =>
    metrics.flatMap((metric) => sampleOf({ phase, figure }, metric, [])),
  );
  return { name, facts: factsOf(resultsOfReport(report)), samples };
}

/** What other programs share with gobonnie. Their %CPU measures something else. */
const FOREIGN_METRICS = metrics.filter(({ name }) => name === '' || name === 'max');

function samplesOf({ report, runs }: Results): readonly MetricSample[] {
  return phasesOf(completeRuns([{ report, runs }])).flatMap((rows) =>
    (report ? metrics : FOREIGN_METRICS)
      .flatMap((metric) => sampleOf(rows[0], metric, valuesOf(rows, metric)))
      .filter(({ values }) => values.length > 0),
  );
}

/** None of a metric that comparisons leave out. */
function sampleOf(
  phase: Pick<PhaseFigures, 'phase' | 'figure'>,
  metric: Metric,
  values: readonly number[],
): readonly MetricSample[] {
  const { better, role } = metric;
  if (role === null) return [];
  return [{ name: metricName(phase.phase, metric), unit: metric.unit(phase), better, role, values }];
}
