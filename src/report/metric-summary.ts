import type { MetricUnit } from './amount.js';
import { getMetric, type Metric, metrics, metricValues, rateMetric } from './metrics.js';
import type { StepRows, StepValues } from './results.js';
import { computeStatistics, type Statistics } from './statistics/statistics.js';

/** The mean and the spread of a metric of a step over its runs. Every output takes its numbers from here. */
export interface MetricSummary {
  readonly step: string;
  readonly title: string;
  readonly metric: Metric;
  readonly unit: MetricUnit;
  readonly statistics: Statistics;
  /** True if the values describe the disk. Exports for programs with thresholds omit other values. */
  readonly isFromDevice: boolean;
}

/** Null if the metric is unknown. */
export function summarizeMetric(
  rows: readonly StepValues[],
  metric: Metric,
  allowCached = false,
): MetricSummary | null {
  const { values, isFromDevice } = metricValues(rows, metric, allowCached);
  const [first] = rows;
  if (!first || values.length === 0) return null;
  const unit = metric.unit(first);
  const statistics = computeStatistics(values, unit);
  // A damaged report may hold values with an infinite sum.
  if (!Number.isFinite(statistics.mean)) return null;
  return { step: first.step, title: first.title, metric, unit, statistics, isFromDevice };
}

/** Returns every known metric of a step. A partly cached rate is only the rate as timed, which is a metric of its own. */
export function summarizeMetrics(rows: StepRows): readonly MetricSummary[] {
  return metrics
    .map((metric) => summarizeMetric(rows, metric))
    .filter((summary) => summary !== null)
    .filter(({ metric, isFromDevice }) => isFromDevice || metric !== rateMetric);
}

/** Returns the mean of the metric with this name, in its unit. Null if unknown. */
export function averageMetric(rows: readonly StepValues[], name: string): number | null {
  return summarizeMetric(rows, getMetric(name))?.statistics.mean ?? null;
}
