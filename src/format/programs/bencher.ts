import { groupByPhase, type Results } from '../../report/results.js';
import { stringifySafely } from '../../text/escape.js';
import { cut } from '../writing/width.js';
import { intervalOf, measuredDirectories, type Summary, summariesOf } from './summary.js';

/** Bencher's built-in measures, in operations per second and nanoseconds. */
const BUILT_IN: Readonly<Record<string, string>> = {
  'rate-operations-per-second': 'throughput',
  'latency-mean-nanoseconds': 'latency',
};

/** Bencher's limit. */
const LONGEST_NAME = 1024;
const LONGEST_PREFIX = 960;

/** Bencher Metric Format: a benchmark for each phase. */
export function bencherJson(results: readonly Results[]): string {
  const benchmarks = measuredDirectories(results).flatMap(({ prefix, completeRuns }) =>
    groupByPhase(completeRuns).map((rows) => [
      cut(cut(prefix, LONGEST_PREFIX) + rows[0].phase, LONGEST_NAME),
      Object.fromEntries(summariesOf(rows).filter(isShown).map(measureOf)),
    ]),
  );
  // A benchmark without measures is refused.
  const known = benchmarks.filter(([, measures]) => Object.keys(measures).length > 0);
  return stringifySafely(Object.fromEntries(known));
}

function isShown(summary: Summary): boolean {
  const { isBrief, better, role } = summary.metric;
  if (!summary.isFromDevice || role === null) return false;
  return Object.hasOwn(BUILT_IN, nameOf(summary)) || (isBrief && better !== null);
}

function measureOf(summary: Summary) {
  const name = nameOf(summary);
  const interval = intervalOf(summary.statistics);
  const bounds = interval && { lower_value: interval.low, upper_value: interval.high };
  return [BUILT_IN[name] ?? name, { value: summary.statistics.mean, ...bounds }];
}

/** `latency-p99-nanoseconds`. */
function nameOf({ metric: { name, quantity, quantile }, unit }: Summary): string {
  const inWords = unit.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return [quantity.name.replaceAll('_', '-'), quantile === null ? '' : name, inWords]
    .filter(Boolean)
    .join('-');
}
