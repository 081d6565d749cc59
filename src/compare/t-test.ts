import { computeMean, computeVariance } from '../report/statistics/statistics.js';
import { studentT } from '../report/statistics/student-t.js';

/** The difference between two means. */
export interface MeanDifference {
  readonly difference: number;
  readonly standardError: number;
  readonly degreesOfFreedom: number;
}

/**
 * Welch's t-test, two-sided: the variances may differ. A single value is assumed to be as noisy as the other sample,
 * which gives Student's t-test. Null for two single values.
 */
export function welch(before: readonly number[], after: readonly number[]): MeanDifference | null {
  if (before.length + after.length < 3) return null;
  const from = estimateMean(before, after);
  const to = estimateMean(after, before);
  const difference = to.mean - from.mean;
  const variance = from.variance + to.variance;
  // Each sample has equal values: no noise.
  if (variance === 0) return { difference, standardError: 0, degreesOfFreedom: 1 };
  // Uses shares of the variance, because its square could overflow.
  const fromShare = from.variance / variance;
  const toShare = to.variance / variance;
  const degreesOfFreedom =
    Math.min(before.length, after.length) === 1
      ? Math.max(before.length, after.length) - 1
      : 1 / (fromShare ** 2 / (before.length - 1) + toShare ** 2 / (after.length - 1));
  return { difference, standardError: Math.sqrt(variance), degreesOfFreedom };
}

/**
 * The paired t-test, two-sided: for samples taken in turn, where a disturbance affects both values of a pair. Null if
 * the values do not form at least two pairs.
 */
export function paired(before: readonly number[], after: readonly number[]): MeanDifference | null {
  if (before.length !== after.length || before.length < 2) return null;
  const differences = before.map((value, at) => (after[at] ?? value) - value);
  return {
    difference: computeMean(differences),
    standardError: Math.sqrt(computeVariance(differences) / differences.length),
    degreesOfFreedom: differences.length - 1,
  };
}

/** Returns the confidence interval of the difference, `widening` times as wide as that of independent values. */
export function confidenceInterval(
  { difference, standardError, degreesOfFreedom }: MeanDifference,
  confidence: number,
  widening = 1,
) {
  const margin = widening * studentT(confidence, degreesOfFreedom) * standardError;
  return { low: difference - margin, high: difference + margin };
}

function estimateMean(values: readonly number[], otherValues: readonly number[]) {
  return {
    mean: computeMean(values),
    variance: computeVariance(values.length > 1 ? values : otherValues) / values.length,
  };
}
