import { unitDefinitions } from '../../report/amount.js';
import { type Metric, type MetricSummary, metricName, summarizeMetrics } from '../../report/metrics.js';
import { groupByStep, type Results, type StepRows } from '../../report/results.js';
import { stringifySafely } from '../../text/escape.js';
import { pluralize } from '../../text/units.js';
import { groupByDirectory } from './report-metadata.js';

/** Metrics that are Bencher's built-in measures, in operations per second and nanoseconds. */
const BUILT_IN_MEASURES: Readonly<Record<string, string>> = {
  'rate-operations-per-second': 'throughput',
  'latency-mean-nanoseconds': 'latency',
};

/** Renders Bencher Metric Format, with a benchmark for each phase. */
export function bencherJson(results: readonly Results[]): string {
  const isMeasure = (one: MetricSummary) => isMain(one) || Object.hasOwn(BUILT_IN_MEASURES, measureName(one));
  const benchmarks = groupByDirectory(results).flatMap(({ prefix, completeRuns }) =>
    groupByStep(completeRuns).flatMap((rows) => {
      const measures = comparableMetrics(rows).filter(isMeasure).map(toMeasure);
      // Bencher rejects benchmarks without measures.
      return measures.length === 0 ? [] : [[prefix + rows[0].step, Object.fromEntries(measures)]];
    }),
  );
  return stringifySafely(Object.fromEntries(benchmarks));
}

/**
 * Creates a format for github-action-benchmark's tool customBiggerIsBetter or customSmallerIsBetter. Each tool needs a
 * file of its own.
 */
export function githubBenchmark(better: Metric['better']): (results: readonly Results[]) => string {
  return (results) =>
    stringifySafely(
      groupByDirectory(results).flatMap(({ prefix, directory, completeRuns }) =>
        groupByStep(completeRuns)
          .flatMap(comparableMetrics)
          .filter((one) => isMain(one) && one.metric.better === better)
          .map((summary) => toBenchmark(summary, prefix, directory)),
      ),
    );
}

/** Omits partly cached results, because the services evaluate every value. */
function comparableMetrics(rows: StepRows): readonly MetricSummary[] {
  return summarizeMetrics(rows).filter(({ isFromDevice, metric }) => isFromDevice && metric.role !== null);
}

function isMain({ metric }: MetricSummary): boolean {
  return metric.isBrief && metric.better !== null;
}

function toMeasure(summary: MetricSummary) {
  const name = measureName(summary);
  const { confidence95: interval } = summary.spread;
  const bounds = interval && { lower_value: interval.low, upper_value: interval.high };
  return [BUILT_IN_MEASURES[name] ?? name, { value: summary.value, ...bounds }];
}

/** Returns a name like `latency-p99-nanoseconds`. */
function measureName({ metric: { name, quantity, quantile }, unit }: MetricSummary): string {
  const unitName = unit.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const parts = [quantity.replaceAll('_', '-'), quantile === null ? '' : name, unitName];
  return parts.filter(Boolean).join('-');
}

function toBenchmark(summary: MetricSummary, prefix: string, directory: string | null) {
  const { step, title, metric, unit, value, spread } = summary;
  // The unit is fixed because the values of many commits form one line of a chart.
  const { name, divisor } = unitDefinitions[unit].chart;
  const scale = (value: number) => Number((value / divisor).toPrecision(6));
  const { runs, min, max, confidence95: interval } = spread;
  const range = runs > 1 ? `, ${scale(min)} to ${scale(max)} ${name}` : '';
  const extra = [`${title}: ${metric.name || 'rate'}`, pluralize(runs, 'run') + range, directory];
  return {
    name: prefix + metricName(step, metric),
    unit: name,
    value: scale(value),
    // The ends of the interval are not equally far from the mean.
    ...(interval && { range: `${scale(interval.low)} to ${scale(interval.high)}` }),
    extra: extra.filter(Boolean).join('\n'),
  };
}
