import { meanOf, sum } from './statistics.js';

/** Fewer values say nothing of how they are spread. */
const FEWEST = 5;
/** Two groups: each of two values or more, this many times their own width apart, their means in this ratio. */
const FEWEST_IN_GROUP = 2;
const GAP_WIDTHS = 2;
const LEAST_RATIO = 1.5;
/** An outlier: ten standard deviations from the median, estimated by the median deviation, and this much of it. */
const FURTHEST_DEVIATIONS = 10;
const DEVIATION_PER_MEDIAN_DEVIATION = 1.4826;
const FURTHEST_SHARE = 0.25;
/** More of them are no outliers. */
const MOST_OUTLIERS_SHARE = 0.2;

/** What a mean would hide. */
export type Spread =
  | { readonly kind: 'bimodal'; readonly low: Group; readonly high: Group }
  | { readonly kind: 'outliers'; readonly values: readonly number[] };

export interface Group {
  readonly mean: number;
  readonly runs: number;
}

/** Null if the values are spread around their mean. */
export function spreadOf(values: readonly number[]): Spread | null {
  if (values.length < FEWEST) return null;
  const sorted = values.toSorted((one, other) => one - other);
  return twoSpeedsOf(sorted) ?? outliersOf(sorted);
}

function twoSpeedsOf(sorted: readonly number[]): Spread | null {
  const gapBefore = (at: number) => (sorted[at] ?? 0) - (sorted[at - 1] ?? 0);
  const places = [...sorted.keys()].slice(FEWEST_IN_GROUP, 1 - FEWEST_IN_GROUP);
  const at = places.reduce((widest, place) => (gapBefore(place) > gapBefore(widest) ? place : widest));
  const groups = [sorted.slice(0, at), sorted.slice(at)] as const;
  const width = Math.max(...groups.map((group) => (group.at(-1) ?? 0) - (group[0] ?? 0)));
  const [low, high] = groups.map((group) => ({ mean: meanOf(group), runs: group.length }));
  if (!low || !high || gapBefore(at) < GAP_WIDTHS * width || high.mean < LEAST_RATIO * low.mean) return null;
  return { kind: 'bimodal', low, high };
}

function outliersOf(sorted: readonly number[]): Spread | null {
  const median = medianOf(sorted);
  const distances = sorted.map((value) => Math.abs(value - median));
  const deviation =
    DEVIATION_PER_MEDIAN_DEVIATION * medianOf(distances.toSorted((one, other) => one - other));
  const furthest = Math.max(FURTHEST_DEVIATIONS * deviation, FURTHEST_SHARE * median);
  const values = sorted.filter((value) => Math.abs(value - median) > furthest);
  const isFew = values.length > 0 && values.length <= MOST_OUTLIERS_SHARE * sorted.length;
  return isFew ? { kind: 'outliers', values } : null;
}

function medianOf(sorted: readonly number[]): number {
  const middle = sorted.slice(Math.floor((sorted.length - 1) / 2), Math.floor(sorted.length / 2) + 1);
  return sum(middle) / middle.length;
}
