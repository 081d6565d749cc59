import { groupBy } from '../../text/group-by.js';
import { metricValues, rateMetric } from '../metrics.js';
import { primaryRateOf } from '../rate.js';
import { stepValues } from '../report-to-results.js';
import { isComplete } from '../results.js';
import type { Measurement, RateStatistics, Report, Run } from '../schema/report.js';
import { findIrregularity } from './irregularity.js';
import { computeMarginPercent, computeStatistics } from './statistics.js';

export interface TargetRuns {
  readonly runs: readonly Run[];
  readonly target: Pick<Report['target'], 'isMemory'>;
}

export function computeRunStatistics(runs: readonly Run[]): RateStatistics[] {
  const rates = collectRates(runs, (measurements) => measurements.map(primaryRateOf));
  return rates.map(({ values, ...step }) => ({ ...step, ...computeStatistics(values) }));
}

/** True if every confidence interval is so narrow that more runs would hardly change the mean. */
export function areStable(targetRuns: TargetRuns, withinPercent: number): boolean {
  const margins = computeMarginsPercent(targetRuns);
  return margins.length > 0 && margins.every((margin) => margin !== null && margin <= withinPercent);
}

/** Returns the margin of each result's confidence interval in percent of its mean. Null if unknown. */
export function computeMarginsPercent(targetRuns: TargetRuns): readonly (number | null)[] {
  return evaluatedRates(targetRuns).map(({ values }) => computeMarginPercent(computeStatistics(values)));
}

/** Returns the results whose mean hides how the runs are spread. */
export function findIrregularities(targetRuns: TargetRuns) {
  return evaluatedRates(targetRuns).flatMap(({ values, ...step }) => {
    const irregularity = findIrregularity(values);
    return irregularity ? [{ ...step, irregularity }] : [];
  });
}

/** Returns the disk's rates, or the timed rates if any run was partly cached. */
function evaluatedRates({ runs, target }: TargetRuns) {
  return collectRates(runs, (measurements) => {
    const rows = measurements.map((one) => stepValues(one, { target }));
    return metricValues(rows, rateMetric).values;
  });
}

function collectRates(runs: readonly Run[], getValues: (all: readonly Measurement[]) => readonly number[]) {
  const measurements = runs.filter(isComplete).flatMap((run) => run.measurements);
  return groupBy(measurements, ({ step }) => step).map((group) => {
    const [{ step, title, primaryRate }] = group;
    return { step, title, primaryRate, values: getValues(group) };
  });
}
