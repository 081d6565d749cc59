import type { RateStatistics } from '../schema/report.js';
import { studentT } from './student.js';

export type Statistics = Omit<RateStatistics, 'step' | 'title' | 'primaryRate'>;

const CONFIDENCE = 0.95;
/** Two values can agree by chance, and their interval extends 13 deviations to either side. */
const MIN_VALUES_FOR_INTERVAL = 3;

export function computeStatistics(values: readonly number[]): Statistics {
  const runs = values.length;
  const mean = computeMean(values);
  const { min, max } = minMax(values);
  const known = { runs, mean, min, max };
  if (runs === 1) {
    return { ...known, standardDeviation: null, coefficientOfVariation: null, confidence95: null };
  }
  const standardDeviation = Math.sqrt(computeVariance(values));
  const margin = (studentT(CONFIDENCE, runs - 1) * standardDeviation) / Math.sqrt(runs);
  // Clamped at 0, because no result is negative.
  const interval = { low: Math.max(0, mean - margin), high: mean + margin };
  return {
    ...known,
    standardDeviation,
    coefficientOfVariation: mean === 0 ? null : standardDeviation / mean,
    confidence95: runs < MIN_VALUES_FOR_INTERVAL ? null : interval,
  };
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

/** Returns the margin of the confidence interval in percent of the mean. Null if unknown. */
export function computeMarginPercent(statistics: Pick<Statistics, 'mean' | 'confidence95'>): number | null {
  const { mean, confidence95 } = statistics;
  return confidence95 && mean > 0 ? ((confidence95.high - mean) / mean) * 100 : null;
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
