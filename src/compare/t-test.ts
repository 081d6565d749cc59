import { computeMean, computeVariance } from '../report/statistics/statistics.js';
import { studentT, twoSidedTail } from '../report/statistics/student.js';

/** The confidence interval of the difference between two means, and the probability that chance alone gives it. */
export type MeanDifference = ReturnType<typeof meanDifference>;

/**
 * Welch's t-test, two-sided: the variances may differ. A single value is assumed to be as noisy as the other sample,
 * which gives Student's t-test. Null for two single values.
 */
export function welch(before: readonly number[], after: readonly number[], confidence: number) {
  if (before.length + after.length < 3) return null;
  const from = estimateMean(before, after);
  const to = estimateMean(after, before);
  const difference = to.mean - from.mean;
  const variance = from.variance + to.variance;
  // Each sample has equal values: no noise.
  if (variance === 0) return meanDifference(difference, 0, 1, confidence);
  // Uses shares of the variance, because its square could overflow.
  const fromShare = from.variance / variance;
  const toShare = to.variance / variance;
  const degreesOfFreedom =
    Math.min(before.length, after.length) === 1
      ? Math.max(before.length, after.length) - 1
      : 1 / (fromShare ** 2 / (before.length - 1) + toShare ** 2 / (after.length - 1));
  return meanDifference(difference, Math.sqrt(variance), degreesOfFreedom, confidence);
}

/**
 * The paired t-test, two-sided: for samples taken in turn, where a disturbance affects both values of a pair. Null if
 * the values do not form at least two pairs.
 */
export function paired(before: readonly number[], after: readonly number[], confidence: number) {
  if (before.length !== after.length || before.length < 2) return null;
  const differences = before.map((value, at) => (after[at] ?? value) - value);
  const error = Math.sqrt(computeVariance(differences) / differences.length);
  return meanDifference(computeMean(differences), error, differences.length - 1, confidence);
}

/** `error` is the standard error of the difference. */
function meanDifference(difference: number, error: number, degreesOfFreedom: number, confidence: number) {
  const margin = studentT(confidence, degreesOfFreedom) * error;
  return {
    interval: { low: difference - margin, high: difference + margin },
    pValue: difference === 0 ? 1 : twoSidedTail(Math.abs(difference) / error, degreesOfFreedom),
  };
}

function estimateMean(values: readonly number[], otherValues: readonly number[]) {
  return {
    mean: computeMean(values),
    variance: computeVariance(values.length > 1 ? values : otherValues) / values.length,
  };
}
