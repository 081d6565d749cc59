import { groupByPhase, type Results } from '../../report/results.js';
import { stringifySafely } from '../../text/escape.js';
import { finiteInterval, groupByDirectory, type MetricSummary, summarizeMetrics } from './metric-summary.js';

/** Metrics that are Bencher's built-in measures, in operations per second and nanoseconds. */
const BUILT_IN_MEASURES: Readonly<Record<string, string>> = {
  'rate-operations-per-second': 'throughput',
  'latency-mean-nanoseconds': 'latency',
};

/** Renders Bencher Metric Format, with a benchmark for each phase. */
export function bencherJson(results: readonly Results[]): string {
  const benchmarks = groupByDirectory(results).flatMap(({ prefix, completeRuns }) =>
    groupByPhase(completeRuns).map((rows) => [
      prefix + rows[0].phase,
      Object.fromEntries(summarizeMetrics(rows).filter(isIncluded).map(toMeasure)),
    ]),
  );
  // Bencher rejects benchmarks without measures.
  const measuredBenchmarks = benchmarks.filter(([, measures]) => Object.keys(measures).length > 0);
  return stringifySafely(Object.fromEntries(measuredBenchmarks));
}

function isIncluded(summary: MetricSummary): boolean {
  const { isBrief, better, role } = summary.metric;
  if (!summary.isFromDevice || role === null) return false;
  return Object.hasOwn(BUILT_IN_MEASURES, measureName(summary)) || (isBrief && better !== null);
}

function toMeasure(summary: MetricSummary) {
  const name = measureName(summary);
  const interval = finiteInterval(summary.statistics);
  const bounds = interval && { lower_value: interval.low, upper_value: interval.high };
  return [BUILT_IN_MEASURES[name] ?? name, { value: summary.statistics.mean, ...bounds }];
}

/** Returns a name like `latency-p99-nanoseconds`. */
function measureName({ metric: { name, quantity, quantile }, unit }: MetricSummary): string {
  const unitName = unit.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return [quantity.name.replaceAll('_', '-'), quantile === null ? '' : name, unitName]
    .filter(Boolean)
    .join('-');
}
