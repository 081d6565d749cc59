import { averageRuns, sum } from './statistics.js';

/** Fewer values do not show their distribution. */
const MIN_VALUES = 5;
/** Two modes: at least two values each, a gap of this many times the wider group, and means in at least this ratio. */
const MIN_GROUP_VALUES = 2;
const GAP_WIDTHS = 2;
const MIN_RATIO = 1.5;
/** An outlier: ten standard deviations, estimated by the median deviation, and this share of the median from it. */
const OUTLIER_DEVIATIONS = 10;
const DEVIATION_PER_MEDIAN_DEVIATION = 1.4826;
const OUTLIER_SHARE = 0.25;
/** A larger share of values does not count as outliers. */
const MAX_OUTLIERS_SHARE = 0.2;

/** Finds a distribution that a mean would hide. Null if the values are distributed around their mean. */
export function findIrregularity(values: readonly number[]) {
  if (values.length < MIN_VALUES) return null;
  const sorted = values.toSorted((one, other) => one - other);
  return findTwoModes(sorted) ?? findOutliers(sorted);
}

function findTwoModes(sorted: readonly number[]) {
  const gapBefore = (at: number) => (sorted[at] ?? 0) - (sorted[at - 1] ?? 0);
  const places = [...sorted.keys()].slice(MIN_GROUP_VALUES, 1 - MIN_GROUP_VALUES);
  const at = places.reduce((widest, place) => (gapBefore(place) > gapBefore(widest) ? place : widest));
  const groups = [sorted.slice(0, at), sorted.slice(at)] as const;
  const width = Math.max(...groups.map((group) => (group.at(-1) ?? 0) - (group[0] ?? 0)));
  const [low, high] = groups.map((group) => ({ mean: averageRuns(group), runs: group.length }));
  if (!low || !high || gapBefore(at) < GAP_WIDTHS * width || high.mean < MIN_RATIO * low.mean) return null;
  return { kind: 'bimodal', low, high } as const;
}

function findOutliers(sorted: readonly number[]) {
  const median = computeMedian(sorted);
  const distances = sorted.map((value) => Math.abs(value - median));
  const deviation = DEVIATION_PER_MEDIAN_DEVIATION * computeMedian(distances);
  const maxDistance = Math.max(OUTLIER_DEVIATIONS * deviation, OUTLIER_SHARE * median);
  const values = sorted.filter((value) => Math.abs(value - median) > maxDistance);
  const isFew = values.length > 0 && values.length <= MAX_OUTLIERS_SHARE * sorted.length;
  return isFew ? ({ kind: 'outliers', values } as const) : null;
}

/** Returns NaN for no values. */
export function computeMedian(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.slice(Math.floor((sorted.length - 1) / 2), Math.floor(sorted.length / 2) + 1);
  return sum(middle) / middle.length;
}
