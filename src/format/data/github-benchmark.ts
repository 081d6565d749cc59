import { unitDefinitions } from '../../report/amount.js';
import { type Metric, metricName } from '../../report/metrics.js';
import { groupByPhase, type Results } from '../../report/results.js';
import { stringifySafely } from '../../text/escape.js';
import { pluralize } from '../../text/units.js';
import {
  finiteInterval,
  groupByDirectory,
  type MeasuredDirectory,
  type MetricSummary,
  summarizeMetrics,
} from './metric-summary.js';

/**
 * Creates a format for github-action-benchmark's tool customBiggerIsBetter or customSmallerIsBetter. Each tool needs a
 * file of its own.
 */
export function githubBenchmark(better: Metric['better']): (results: readonly Results[]) => string {
  return (results) =>
    stringifySafely(groupByDirectory(results).flatMap((one) => directoryBenchmarks(one, better)));
}

function directoryBenchmarks(measuredDirectory: MeasuredDirectory, better: Metric['better']) {
  return groupByPhase(measuredDirectory.completeRuns)
    .flatMap(summarizeMetrics)
    .filter(
      ({ metric, isFromDevice }) =>
        isFromDevice && metric.isBrief && metric.role !== null && metric.better === better,
    )
    .map((summary) => toBenchmark(summary, measuredDirectory));
}

function toBenchmark(
  { phase, title, metric, unit, statistics }: MetricSummary,
  { prefix, directory }: MeasuredDirectory,
) {
  // The unit is fixed because the values of many commits form one line of a chart.
  const { name, divisor } = unitDefinitions[unit].chart;
  const scale = (value: number) => Number((value / divisor).toPrecision(6));
  const interval = finiteInterval(statistics);
  const { runs, mean, min, max } = statistics;
  const range = interval && `± ${scale(interval.high - mean)}`;
  const spread = runs > 1 ? `, ${scale(min)} to ${scale(max)} ${name}` : '';
  return {
    name: prefix + metricName(phase, metric),
    unit: name,
    value: scale(mean),
    ...(range === null ? {} : { range }),
    extra: [`${title}: ${metric.title}`, pluralize(runs, 'run') + spread, directory]
      .filter(Boolean)
      .join('\n'),
  };
}
