import { type Comparison, DEFAULT_MAX_REGRESSION_PERCENT, type MetricChange } from './comparison.js';

/** What people read of a change. `inconclusive`: noise, single runs or memory could hide a change. */
export type ChangeLabel = 'better' | 'worse' | 'same' | 'inconclusive';

/** Null if neither direction is better, or if the two sides differ in more than their figures. */
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

/** Whether a change is at most as large as a regression may be, to both sides. */
export function isWithinLimit(
  interval: MetricChange['intervalPercent'],
  limitPercent: number | null = DEFAULT_MAX_REGRESSION_PERCENT,
): boolean {
  if (interval === null) return false;
  return Math.max(-interval.low, interval.high) <= (limitPercent ?? DEFAULT_MAX_REGRESSION_PERCENT);
}
