import { GobonnieError } from '../errors.js';
import type { MetricUnit } from '../report/amount.js';
import { describeInMemory } from '../report/in-memory.js';
import { type Metric, type MetricValues, metricName, metrics, metricValues } from '../report/metrics.js';
import { toResults } from '../report/report-to-results.js';
import { completeRuns, groupByPhase, type PhaseFigures, type Results } from '../report/results.js';
import type { Report } from '../report/schema/report.js';
import { display } from '../text/escape.js';
import { groupBy } from '../text/group-by.js';
import { type ComparedProperty, comparedProperties } from './properties.js';

/** The values of one metric, one for each run. */
export interface MetricSample extends MetricValues {
  /** `read`, `read.p99`. */
  readonly name: string;
  readonly unit: MetricUnit;
  readonly better: Metric['better'];
  readonly role: NonNullable<Metric['role']>;
  /** As they were timed: to compare with a subject whose values do not tell of the disk. */
  readonly timed: readonly number[];
  /** Whether the program gives but one rate, with memory's help or not. */
  readonly isOnlyTimed: boolean;
}

/** One side of a comparison, from one document or several. */
export interface ComparisonSide {
  readonly name: string;
  /** One list for each document. */
  readonly properties: readonly (readonly ComparedProperty[])[];
  readonly samples: readonly MetricSample[];
  /** Why its figures are taken as they were timed; null if they are the disk's. */
  readonly timedOnlyReason: string | null;
}

/** Throws if there is no complete run. */
export function toComparisonSide(
  name: string,
  results: readonly Results[],
  allowCached = false,
): ComparisonSide {
  const samples = groupBy(
    results.flatMap((one) => collectSamples(one, allowCached)),
    (sample) => sample.name,
  ).map((group) => {
    const isFromDevice = group.every((one) => one.isFromDevice);
    const timed = group.flatMap((one) => one.timed);
    const values = isFromDevice ? group.flatMap((one) => one.values) : timed;
    return { ...group[0], isFromDevice, isOnlyTimed: group.some((one) => one.isOnlyTimed), timed, values };
  });
  if (samples.length === 0)
    throw new GobonnieError(
      'input-unreadable',
      `${display(name)} holds no complete run`,
      'give a report that has one',
    );
  return {
    name,
    properties: results.flatMap(comparedProperties),
    samples,
    timedOnlyReason: whyTimedOnly(results, allowCached),
  };
}

/** The subject of a report that is yet to be measured: its samples have no values. */
export function toPlannedSide(
  name: string,
  report: Report,
  phases: readonly (Pick<PhaseFigures, 'primaryRate'> & { readonly name: string })[],
): ComparisonSide {
  const samples = phases.flatMap(({ name: phase, primaryRate }) =>
    metrics.flatMap((metric) => sampleMetric({ phase, primaryRate }, metric, [])),
  );
  return { name, properties: comparedProperties(toResults(report)), samples, timedOnlyReason: null };
}

/** What other programs share with gobonnie. Their %CPU measures something else. */
const FOREIGN_METRICS = metrics.filter(({ name }) => name === '' || name === 'max');

function collectSamples({ report, runs }: Results, allowCached: boolean): readonly MetricSample[] {
  // In memory the timed figures are all that there is.
  const isTimed = allowCached || report?.target.isMemory === true;
  const timingFlags = { isTimed, isOnlyTimed: report === null };
  return groupByPhase(completeRuns([{ report, runs }])).flatMap((rows) =>
    (report ? metrics : FOREIGN_METRICS)
      .flatMap((metric) => sampleMetric(rows[0], metric, rows, timingFlags))
      .filter(({ values }) => values.length > 0),
  );
}

/** None of a metric that comparisons leave out. */
function sampleMetric(
  phase: Pick<PhaseFigures, 'phase' | 'primaryRate'>,
  metric: Metric,
  rows: readonly PhaseFigures[],
  { isTimed, isOnlyTimed } = { isTimed: false, isOnlyTimed: false },
): readonly MetricSample[] {
  const { better, role } = metric;
  if (role === null) return [];
  const name = metricName(phase.phase, metric);
  const timed = metricValues(rows, metric, true).values;
  const known = { name, unit: metric.unit(phase), better, role, timed, isOnlyTimed };
  return [{ ...known, ...metricValues(rows, metric, isTimed) }];
}

function whyTimedOnly(results: readonly Results[], allowCached: boolean): string | null {
  if (allowCached) return 'memory may have served a part of them';
  const inMemory = results.find(({ report }) => report?.target.isMemory)?.report;
  if (inMemory) return describeInMemory(inMemory.target);
  if (results.some(({ report }) => report === null))
    return 'their program does not say what memory served of them';
  return null;
}
