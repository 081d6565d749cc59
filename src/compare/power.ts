import { computeMean, computeVariance, isPositive } from '../report/statistics/statistics.js';
import { studentT } from '../report/statistics/student-t.js';

/**
 * The confidence of the interval that decides a verdict. While more runs may follow, it must be higher, because gobonnie
 * checks it after every run. With up to 20 runs on each side that vary by up to 10 %, simulations give wrong verdicts on equal
 * disks and on drops of 20 % in less than 1 % of the comparisons, and no verdict in less than 5 %.
 */
export const VERDICT_CONFIDENCE = { final: 0.75, interim: 0.9 } as const;

/** The final comparison, or one while more runs may follow. */
export type Stage = keyof typeof VERDICT_CONFIDENCE;
/** If rates vary more than this, the disk usually drifts and the sides differ by chance. Only a large change is then a regression. */
const MAX_STEADY_DEVIATION = 0.13;
const UNSTEADY_WIDENING = 4;
/** The quantile of the normal distribution for finding a change in 95 of 100 cases. */
const POWER_QUANTILE = 1.645;
const PERCENT = 100;
/** The interval of fewer runs shrinks much faster. */
const MIN_RUNS_OF_INTERVAL = 5;
/** Nobody waits for more runs. */
const MAX_RUNS = 100;

/**
 * Returns how many runs of each side would probably show whether a result is worse by more than the limit, if it has not
 * changed. Null if no sensible number would, or if the noise is unknown.
 */
export function countRunsToDecide(
  before: readonly number[],
  after: readonly number[],
  limitPercent: number | null,
): number | null {
  const deviation = logDeviation([before, after]);
  if (deviation === null || limitPercent === null) return null;
  const quantile = verdictWidening(deviation) * studentT(VERDICT_CONFIDENCE.final, 2 * MAX_RUNS);
  const error = -Math.log1p(-limitPercent / PERCENT) / (quantile + POWER_QUANTILE);
  const runs = Math.ceil(2 * (deviation / error) ** 2);
  // The present runs have not decided, because the change is near the limit.
  const moreThanNow = Math.min(before.length, after.length) + 1;
  return runs <= MAX_RUNS ? Math.max(moreThanNow, runs) : null;
}

/**
 * Returns how many runs of each side would probably show that one is better, or that they differ by less than the limit.
 * Null if no sensible number would. The interval of the change shrinks with the root of the number of runs.
 */
export function countRunsToAnswer(
  before: readonly number[],
  after: readonly number[],
  interval: { readonly low: number; readonly high: number } | null,
  limitPercent: number,
): number | null {
  const unchanged = countRunsToDecide(before, after, limitPercent);
  const now = Math.min(before.length, after.length);
  if (interval === null || now < MIN_RUNS_OF_INTERVAL) return unchanged;
  const low = Math.log1p(interval.low / PERCENT);
  const high = Math.log1p(interval.high / PERCENT);
  const runs = Math.max(now + 1, Math.ceil(now * ((high - low) / (high + low)) ** 2));
  return runs <= MAX_RUNS ? Math.min(runs, unchanged ?? runs) : unchanged;
}

/** Returns how much wider the interval of a verdict is than that of independent values. */
export function verdictWidening(deviation: number): number {
  return deviation <= MAX_STEADY_DEVIATION ? 1 : UNSTEADY_WIDENING;
}

/** Returns the standard deviation of the logarithms, pooled over the sides. Null without a side of several positive values. */
export function logDeviation(sides: readonly (readonly number[])[]): number | null {
  const several = sides.filter((values) => values.length > 1 && isPositive(values));
  if (several.length === 0) return null;
  return Math.sqrt(computeMean(several.map((values) => computeVariance(values.map(Math.log)))));
}
