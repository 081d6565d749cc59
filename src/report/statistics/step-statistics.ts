import { groupBy } from '../../text/group-by.js';
import { primaryRateOf } from '../rate.js';
import { isComplete } from '../runs.js';
import type { RateStatistics, Run } from '../schema/report.js';
import {
  averageRuns,
  computeMarginPercent,
  computeMedian,
  computeStatistics,
  edgeShare,
} from './statistics.js';

export function computeRunStatistics(runs: readonly Run[]): RateStatistics[] {
  return collectRates(runs).map(({ values, leastShare, ...step }) => ({
    ...step,
    ...computeStatistics(values, undefined, leastShare),
  }));
}

/** True if every confidence interval is so narrow that more runs would hardly change the mean. */
export function areStable(runs: readonly Run[], withinPercent: number): boolean {
  const margins = computeMarginsPercent(runs);
  return margins.length > 0 && margins.every((margin) => margin !== null && margin <= withinPercent);
}

/** Returns the margin of each result's confidence interval in percent of its mean. Null if unknown. */
export function computeMarginsPercent(runs: readonly Run[]): readonly (number | null)[] {
  return computeRunStatistics(runs).map(computeMarginPercent);
}

/** Returns the results whose mean hides how the runs are spread. */
export function findIrregularities(runs: readonly Run[]) {
  return collectRates(runs).flatMap(({ step, title, primaryRate, values }) => {
    const irregularity = findIrregularity(values);
    return irregularity ? [{ step, title, primaryRate, irregularity }] : [];
  });
}

/** Returns the main rates as timed, because the page cache may serve part of any run. */
function collectRates(runs: readonly Run[]) {
  const measurements = runs.filter(isComplete).flatMap((run) => run.measurements);
  return groupBy(measurements, ({ step }) => step).map((group) => {
    const [{ step, title, primaryRate }] = group;
    return { step, title, primaryRate, values: group.map(primaryRateOf), leastShare: edgeShare(group) };
  });
}

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
