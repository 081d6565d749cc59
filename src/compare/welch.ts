import { statisticsOf } from '../report/statistics.js';
import { shareBeyond, studentT } from '../report/student.js';

/** How much of one is the other, of two samples of a figure, and how sure that is. */
export interface Ratio {
  /** After divided by before: of the geometric means. */
  readonly ratio: number;
  /** Where the true ratio is, at the confidence that was asked for. */
  readonly interval: { readonly low: number; readonly high: number };
  /** How often chance alone would bring as much of a change or more, were there none. */
  readonly probability: number;
}

/**
 * Welch's test on the logarithms: noise of a benchmark is of so many per cent, and the two may be unlike noisy. Null
 * where there is nothing to tell noise by: a sample of one value, or a figure of 0.
 */
export function welch(before: readonly number[], after: readonly number[], confidence: number): Ratio | null {
  if (before.length < 2 || after.length < 2) return null;
  if ([...before, ...after].some((value) => value <= 0)) return null;
  const [from, to] = [spreadOf(before), spreadOf(after)];
  const change = to.mean - from.mean;
  const variance = from.variance + to.variance;
  // All values of both are alike: there is no noise.
  if (variance === 0) {
    const ratio = Math.exp(change);
    return { ratio, interval: { low: ratio, high: ratio }, probability: change === 0 ? 1 : 0 };
  }
  const error = Math.sqrt(variance);
  const degreesOfFreedom =
    variance ** 2 / (from.variance ** 2 / (before.length - 1) + to.variance ** 2 / (after.length - 1));
  const reach = studentT(confidence, degreesOfFreedom) * error;
  return {
    ratio: Math.exp(change),
    interval: { low: Math.exp(change - reach), high: Math.exp(change + reach) },
    probability: shareBeyond(Math.abs(change) / error, degreesOfFreedom),
  };
}

/** Of the logarithms: their mean, and the variance of that mean. */
function spreadOf(values: readonly number[]) {
  const { mean, standardDeviation } = statisticsOf(values.map(Math.log));
  return { mean, variance: (standardDeviation ?? 0) ** 2 / values.length };
}
