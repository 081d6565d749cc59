import { groupBy } from '../../text/group-by.js';
import { primaryRateOf } from '../rate.js';
import { isComplete } from '../runs.js';
import type { RateStatistics, Run } from '../schema/report.js';
import { findIrregularity } from './irregularity.js';
import { computeMarginPercent, computeStatistics } from './statistics.js';

export function computeRunStatistics(runs: readonly Run[]): RateStatistics[] {
  return collectRates(runs).map(({ values, ...step }) => ({ ...step, ...computeStatistics(values) }));
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
  return collectRates(runs).flatMap(({ values, ...step }) => {
    const irregularity = findIrregularity(values);
    return irregularity ? [{ ...step, irregularity }] : [];
  });
}

/** Returns the main rates as timed, because the page cache may serve part of any run. */
function collectRates(runs: readonly Run[]) {
  const measurements = runs.filter(isComplete).flatMap((run) => run.measurements);
  return groupBy(measurements, ({ step }) => step).map((group) => {
    const [{ step, title, primaryRate }] = group;
    return { step, title, primaryRate, values: group.map(primaryRateOf) };
  });
}
