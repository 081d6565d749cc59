import { statisticsOf } from '../report/statistics.js';
import { shareBeyond, studentT } from '../report/student.js';

/** By how much the mean of one sample is more than that of another, and how sure that is. */
export interface MeanDifference {
  readonly difference: number;
  /** Where the true difference is, at the confidence that was asked for. */
  readonly interval: { readonly low: number; readonly high: number };
  /** How often chance alone would bring as much of a difference or more, were there none. */
  readonly probability: number;
}

/**
 * Welch's t-test, two-sided: the two may be unlike noisy. Null where there is nothing to tell noise by, as in a sample
 * of one value.
 */
export function welch(
  before: readonly number[],
  after: readonly number[],
  confidence: number,
): MeanDifference | null {
  if (before.length < 2 || after.length < 2) return null;
  const [from, to] = [spreadOf(before), spreadOf(after)];
  const difference = to.mean - from.mean;
  const variance = from.variance + to.variance;
  // All values of both are alike: there is no noise.
  if (variance === 0)
    return {
      difference,
      interval: { low: difference, high: difference },
      probability: difference === 0 ? 1 : 0,
    };
  const error = Math.sqrt(variance);
  // By the shares of the variance, whose squares are within all numbers.
  const [fromShare, toShare] = [from.variance / variance, to.variance / variance];
  const degreesOfFreedom = 1 / (fromShare ** 2 / (before.length - 1) + toShare ** 2 / (after.length - 1));
  const reach = studentT(confidence, degreesOfFreedom) * error;
  return {
    difference,
    interval: { low: difference - reach, high: difference + reach },
    probability: shareBeyond(Math.abs(difference) / error, degreesOfFreedom),
  };
}

/** The mean, and the variance of that mean. */
function spreadOf(values: readonly number[]) {
  const { mean, standardDeviation } = statisticsOf(values);
  return { mean, variance: (standardDeviation ?? 0) ** 2 / values.length };
}
