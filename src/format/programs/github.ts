import { unitDefinitions } from '../../report/amount.js';
import { type Metric, metricName } from '../../report/metrics.js';
import { groupByPhase, type Results } from '../../report/results.js';
import { stringifySafely } from '../../text/escape.js';
import { pluralize } from '../../text/units.js';
import {
  intervalOf,
  type MeasuredDirectory,
  measuredDirectories,
  type Summary,
  summariesOf,
} from './summary.js';

/**
 * An array for github-action-benchmark's tools customBiggerIsBetter and customSmallerIsBetter. A file has one direction
 * only, so there is a format for each.
 */
export function githubBenchmark(better: Metric['better']): (results: readonly Results[]) => string {
  return (results) => stringifySafely(measuredDirectories(results).flatMap((one) => benchmarksOf(one, better)));
}

function benchmarksOf(measured: MeasuredDirectory, better: Metric['better']) {
  return groupByPhase(measured.completeRuns)
    .flatMap(summariesOf)
    .filter(
      ({ metric, isFromDevice }) =>
        isFromDevice && metric.isBrief && metric.role !== null && metric.better === better,
    )
    .map((summary) => benchmarkOf(summary, measured));
}

function benchmarkOf(
  { phase, title, metric, unit, statistics }: Summary,
  { prefix, directory }: MeasuredDirectory,
) {
  // A fixed unit, as the values of many commits form one line of a chart.
  const { name, divisor } = unitDefinitions[unit].chart;
  const scaled = (value: number) => Number((value / divisor).toPrecision(6));
  const interval = intervalOf(statistics);
  const { runs, mean, min, max } = statistics;
  const range = interval && `± ${scaled(interval.high - mean)}`;
  const spread = runs > 1 ? `, ${scaled(min)} to ${scaled(max)} ${name}` : '';
  return {
    name: prefix + metricName(phase, metric),
    unit: name,
    value: scaled(mean),
    ...(range === null ? {} : { range }),
    extra: [`${title}: ${metric.title}`, pluralize(runs, 'run') + spread, directory].filter(Boolean).join('\n'),
  };
}
