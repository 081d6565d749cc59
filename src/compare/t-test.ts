import { statisticsOf } from '../report/statistics/statistics.js';
import { shareBeyond, studentT } from '../report/statistics/student.js';

/** By how much the mean of one sample is more than that of another, and how sure that is. */
export interface MeanDifference {
  readonly difference: number;
  /** Where the true difference is, at the confidence that was asked for. */
  readonly interval: { readonly low: number; readonly high: number };
  /** How often chance alone would bring as much of a difference or more, were there none. */
  readonly probability: number;
}

/**
 * Welch's t-test, two-sided: the two may be unlike noisy. A single value is taken to be as noisy as those of the other
 * sample, which makes it Student's. Null where there is nothing to tell noise by: both are one value.
 */
export function welch(
  before: readonly number[],
  after: readonly number[],
  confidence: number,
): MeanDifference | null {
  if (before.length + after.length < 3) return null;
  const [from, to] = [spreadOf(before, after), spreadOf(after, before)];
  const difference = to.mean - from.mean;
  const variance = from.variance + to.variance;
  // All values of both are alike: there is no noise.
  if (variance === 0) return meanDifference(difference, 0, 1, confidence);
  // By the shares of the variance, whose squares are within all numbers.
  const [fromShare, toShare] = [from.variance / variance, to.variance / variance];
  const degreesOfFreedom =
    Math.min(before.length, after.length) === 1
      ? Math.max(before.length, after.length) - 1
      : 1 / (fromShare ** 2 / (before.length - 1) + toShare ** 2 / (after.length - 1));
  return meanDifference(difference, Math.sqrt(variance), degreesOfFreedom, confidence);
}

/**
 * Student's t-test of pairs, two-sided: for samples that were taken in turn, where what disturbed one value disturbed
 * the one beside it, too. Null where they do not stand in pairs, or a single pair leaves nothing to tell noise by.
 */
export function paired(
  before: readonly number[],
  after: readonly number[],
  confidence: number,
): MeanDifference | null {
  if (before.length !== after.length || before.length < 2) return null;
  const differences = before.map((value, at) => (after[at] ?? value) - value);
  const { mean: difference, standardDeviation } = statisticsOf(differences);
  const error = (standardDeviation ?? 0) / Math.sqrt(differences.length);
  return meanDifference(difference, error, differences.length - 1, confidence);
}

/** By Student's distribution; `error` is the difference's standard error. */
function meanDifference(
  difference: number,
  error: number,
  degreesOfFreedom: number,
  confidence: number,
): MeanDifference {
  const reach = studentT(confidence, degreesOfFreedom) * error;
  return {
    difference,
    interval: { low: difference - reach, high: difference + reach },
    probability: difference === 0 ? 1 : shareBeyond(Math.abs(difference) / error, degreesOfFreedom),
  };
}

/** The mean, and the variance of that mean. */
function spreadOf(values: readonly number[], others: readonly number[]) {
  const { standardDeviation } = statisticsOf(values.length > 1 ? values : others);
  return { mean: statisticsOf(values).mean, variance: (standardDeviation ?? 0) ** 2 / values.length };
}
