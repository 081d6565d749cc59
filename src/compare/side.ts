import { GobonnieError, optionError } from '../errors.js';
import type { MetricUnit } from '../report/amount.js';
import { type Metric, type MetricValues, metricName, metrics, metricValues } from '../report/metrics.js';
import { describeInMemory } from '../report/rate.js';
import { completeRuns, groupByStep, type Results } from '../report/results.js';
import { display } from '../text/escape.js';
import { groupBy } from '../text/group-by.js';
import { comparedProperties, type PropertySide } from './differences.js';

export interface MetricSample extends MetricValues {
  /** Such as `read` or `read.p99`. */
  readonly name: string;
  readonly unit: MetricUnit;
  readonly better: Metric['better'];
  readonly role: NonNullable<Metric['role']>;
  readonly quantile?: Metric['quantile'];
}

/** One side of a comparison, from one document or several. */
export interface ComparisonSide extends PropertySide {
  readonly samples: readonly MetricSample[];
  /** Why the results are as timed. Null if they are the disk's. */
  readonly timedOnlyReason: string | null;
}

/** Throws if there is no complete run, or no rate. */
export function toComparisonSide(
  name: string,
  results: readonly Results[],
  allowCached = false,
): ComparisonSide {
  const allSamples = results.flatMap((one) => collectSamples(one, allowCached));
  const samples = groupBy(allSamples, (sample) => sample.name).map((group) => {
    const isFromDevice = group.every((one) => one.isFromDevice);
    return { ...group[0], isFromDevice, values: group.flatMap((one) => one.values) };
  });
  const programs = new Set(completeRuns(results).map(({ program }) => program.name));
  if (programs.size > 1)
    throw optionError(
      `${name} holds results of ${[...programs].join(' and ')}`,
      "put each program's results in a file of its own",
    );
  const emptyError = (missing: string, hint: string) =>
    new GobonnieError('input-unreadable', `${display(name)} holds no ${missing}`, hint);
  if (programs.size === 0) throw emptyError('complete run', 'use a report of a complete run');
  if (!samples.some(({ role }) => role === 'gating'))
    throw emptyError('rate', 'measure more data: a test that ends too quickly has no rate');
  return {
    name,
    properties: results.flatMap(comparedProperties),
    samples,
    timedOnlyReason: whyTimedOnly(results, allowCached),
  };
}

/** The metrics that other programs share with gobonnie. Their %CPU measures something different. */
const FOREIGN_METRICS = metrics.filter(({ name }) => name === '' || name === 'max');

function collectSamples({ report, runs }: Results, allowCached: boolean): readonly MetricSample[] {
  // A filesystem in RAM has only timed results.
  const isTimed = allowCached || report?.target.isMemory === true;
  return groupByStep(completeRuns([{ report, runs }])).flatMap((rows) =>
    (report ? metrics : FOREIGN_METRICS).flatMap((metric) => {
      const { better, role, quantile } = metric;
      if (role === null) return [];
      const sample = metricValues(rows, metric, isTimed);
      if (sample.values.length === 0) return [];
      return {
        name: metricName(rows[0].step, metric),
        unit: metric.unit(rows[0]),
        better,
        role,
        quantile,
        ...sample,
      };
    }),
  );
}

function whyTimedOnly(results: readonly Results[], allowCached: boolean): string | null {
  if (allowCached) return 'some of the data may have been cached';
  const inMemory = results.find(({ report }) => report?.target.isMemory)?.report;
  if (inMemory) return describeInMemory(inMemory.target);
  if (results.some(({ report }) => report === null)) return 'that program does not report cache hits';
  return null;
}
