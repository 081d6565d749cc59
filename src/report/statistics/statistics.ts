import { type MetricUnit, PERCENTAGE_POINTS } from '../amount.js';
import type { RateStatistics } from '../schema/report.js';
import { studentT } from './student-t.js';

export type Statistics = Omit<RateStatistics, 'step' | 'title' | 'primaryRate'>;

const CONFIDENCE = 0.95;
/** Two values can agree by chance, and their interval extends 13 deviations to either side. */
const MIN_VALUES_FOR_INTERVAL = 3;
/**
 * The interval is this many times as wide as for independent values. A disk drifts: consecutive runs resemble each other
 * more than later runs. The factor is that of a correlation of 0.6 from run to run. Without it, the intervals of 3 to
 * 10 recorded runs covered the long-run mean in 57 to 86 of 100 cases instead of 95.
 */
const DRIFT_WIDENING = 2;

/**
 * The start and the end of a step may shift its rate by this part of its time. Of 40 rates on a limited disk, whose five
 * steps of 0.7 s agreed within 1 %, the intervals of 27 contained the limit without this margin, and all 40 with it.
 */
const EDGE_SECONDS = 0.015;
const MAX_EDGE_SHARE = 0.025;

/** Returns the least share of a rate by which it is uncertain, even if all runs agree. 0 if the time of a run is unknown. */
export function edgeShare(runs: readonly { readonly seconds: number | null }[]): number {
  const known = runs.map(({ seconds }) => seconds).filter((seconds) => seconds !== null);
  return known.length < runs.length ? 0 : Math.min(EDGE_SECONDS / computeMean(known), MAX_EDGE_SHARE);
}

/** The default unit is for all values that differ by a ratio. `leastShare` widens the interval of such values. */
export function computeStatistics(values: readonly number[], unit?: MetricUnit, leastShare = 0): Statistics {
  const runs = values.length;
  const mean = averageRuns(values, unit);
  const { min, max } = minMax(values);
  const standardDeviation = runs === 1 ? null : Math.sqrt(computeVariance(values));
  // The deviation is from the arithmetic mean.
  const arithmeticMean = computeMean(values);
  return {
    runs,
    mean,
    min,
    max,
    standardDeviation,
    coefficientOfVariation:
      standardDeviation === null || mean === 0 ? null : standardDeviation / arithmeticMean,
    confidence95: runs < MIN_VALUES_FOR_INTERVAL ? null : computeInterval(values, mean, unit, leastShare),
  };
}

/** Returns the interval of the mean. It is computed from ratios, like the mean, and therefore never reaches below 0. */
function computeInterval(values: readonly number[], mean: number, unit?: MetricUnit, leastShare = 0) {
  const runs = values.length;
  const factor = (DRIFT_WIDENING * studentT(CONFIDENCE, runs - 1)) / Math.sqrt(runs);
  if (!differByRatio(values, unit)) {
    const margin = factor * Math.sqrt(computeVariance(values));
    return { low: Math.max(0, mean - margin), high: Math.min(mean + margin, Number.MAX_VALUE) };
  }
  const ratio = Math.exp(Math.hypot(factor * Math.sqrt(computeVariance(values.map(Math.log))), leastShare));
  return { low: mean / ratio, high: Math.min(mean * ratio, Number.MAX_VALUE) };
}

/**
 * Returns the mean of a metric over runs: the geometric mean, because noise changes a rate by a ratio. Comparisons test the
 * same ratios, so a change is the ratio of two means. The arithmetic mean of shares and percentages, which differ by
 * percentage points, and if a run measured 0.
 */
export function averageRuns(values: readonly number[], unit?: MetricUnit): number {
  const [first = 1] = values;
  if (!differByRatio(values, unit)) return computeMean(values);
  // Relative to the first value, so the mean of equal values is exact.
  return first * Math.exp(computeMean(values.map((value) => Math.log(value) - Math.log(first))));
}

function differByRatio(values: readonly number[], unit?: MetricUnit): boolean {
  return isPositive(values) && !(unit && unit in PERCENTAGE_POINTS);
}

export function isPositive(values: readonly number[]): boolean {
  return values.every((value) => value > 0);
}

export function computeMean(values: readonly number[]): number {
  const [first] = values;
  if (first === undefined) throw new Error('there are no values to average');
  // Relative to the first value, so the mean of equal values is exact and their deviation 0.
  return first + sum(values.map((value) => value - first)) / values.length;
}

/** Returns the sample variance (n - 1). Needs at least two values. */
export function computeVariance(values: readonly number[]): number {
  const mean = computeMean(values);
  return sum(values.map((value) => (value - mean) ** 2)) / (values.length - 1);
}

/** A wider interval says only that the value is uncertain, so it is not shown. */
export const WIDEST_MARGIN_PERCENT = 50;
/** The ratio of the ends of such an interval. */
const WIDEST_RATIO = (1 + WIDEST_MARGIN_PERCENT / 100) ** 2;

/** True if an interval says more than that the value is uncertain. */
export function isTellingInterval({ low, high }: { readonly low: number; readonly high: number }): boolean {
  return high <= low * WIDEST_RATIO;
}

/** Returns the distance of the confidence interval's upper end, which is the farther one, in percent of the mean. Null if unknown. */
export function computeMarginPercent(statistics: Pick<Statistics, 'mean' | 'confidence95'>): number | null {
  const { mean, confidence95 } = statistics;
  return confidence95 && mean > 0 ? ((confidence95.high - mean) / mean) * 100 : null;
}

/** Returns NaN for no values. */
export function computeMedian(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.slice(Math.floor((sorted.length - 1) / 2), Math.floor(sorted.length / 2) + 1);
  return sum(middle) / middle.length;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Returns Infinity and -Infinity for no values. `Math.max(...values)` fails at about a hundred thousand values. */
export function minMax(values: readonly number[]): { readonly min: number; readonly max: number } {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return { min, max };
}
