import { DEFAULT_MAX_REGRESSION_PERCENT } from './comparison.js';
import type { Comparison, MetricChange } from './comparison-schema.js';

/** The label of a change. `inconclusive`: noise, single runs or cached data could hide a change. */
export type ChangeLabel = 'better' | 'worse' | 'same' | 'inconclusive';

/** Null if neither direction is better, or if the two sides differ in more than their results. */
export function labelChange(
  change: MetricChange,
  { maxRegressionPercent, changes }: Comparison,
): ChangeLabel | null {
  const hasVerdicts = maxRegressionPercent === null || changes.some(({ verdict }) => verdict !== null);
  if (!hasVerdicts || change.better === null) return null;
  if (change.verdict === 'regression') return 'worse';
  if (change.changePercent === 0) return 'same';
  if (change.significance === 'significant') return change.direction;
  return isWithinLimit(change.intervalPercent, maxRegressionPercent) ? 'same' : 'inconclusive';
}

/** True if the whole interval is within ± the allowed regression. */
export function isWithinLimit(
  interval: MetricChange['intervalPercent'],
  limitPercent: number | null = null,
): boolean {
  if (interval === null) return false;
  return Math.max(-interval.low, interval.high) <= (limitPercent ?? DEFAULT_MAX_REGRESSION_PERCENT);
}
