import { metricValues, rateMetric } from '../metrics.js';
import { primaryRateOf } from '../rate.js';
import { phaseValues } from '../report-to-results.js';
import { isComplete } from '../results.js';
import type { Measurement, RateStatistics, Report, Run } from '../schema/report.js';
import { findIrregularity, type Irregularity } from './irregularity.js';
import { computeMarginPercent, computeStatistics, isStable } from './statistics.js';

/** Runs, and whether their data was in RAM. */
export interface TargetRuns {
  readonly runs: readonly Run[];
  readonly target: Pick<Report['target'], 'isMemory'>;
}

/** One result of every complete run. */
interface PhaseRates extends Pick<Measurement, 'phase' | 'title' | 'primaryRate'> {
  readonly values: readonly number[];
}

/** Computes statistics of the rates as timed. */
export function computeRunStatistics(runs: readonly Run[]): RateStatistics[] {
  return collectRates(runs, (measurements) => measurements.map(primaryRateOf)).map(
    ({ phase, title, primaryRate, values }) => ({
      phase,
      title,
      primaryRate,
      ...computeStatistics(values),
    }),
  );
}

/** True if more runs would hardly change any result. */
export function areStable(targetRuns: TargetRuns, withinPercent: number): boolean {
  const rates = evaluatedRates(targetRuns);
  return rates.length > 0 && rates.every(({ values }) => isStable(values, withinPercent));
}

/** Returns the margin of each result's confidence interval in percent of its mean, omitting unknown margins. */
export function computeMarginsPercent(targetRuns: TargetRuns): readonly number[] {
  return evaluatedRates(targetRuns)
    .map(({ values }) => computeMarginPercent(computeStatistics(values)))
    .filter((margin) => margin !== null);
}

/** Returns the results whose mean hides how the runs are spread. */
export function findIrregularities(
  targetRuns: TargetRuns,
): readonly (Omit<PhaseRates, 'values'> & { readonly irregularity: Irregularity })[] {
  return evaluatedRates(targetRuns).flatMap(({ values, ...phase }) => {
    const irregularity = findIrregularity(values);
    return irregularity ? [{ ...phase, irregularity }] : [];
  });
}

/** Returns the disk's rates, or the timed rates if any run was partly cached. */
function evaluatedRates(targetRuns: TargetRuns): readonly PhaseRates[] {
  return collectRates(targetRuns.runs, (measurements) => {
    const rows = measurements.map((one) => phaseValues(one, targetRuns));
    return metricValues(rows, rateMetric).values;
  });
}

function collectRates(
  runs: readonly Run[],
  getValues: (measurements: readonly Measurement[]) => readonly number[],
): readonly PhaseRates[] {
  const complete = runs.filter(isComplete);
  return (complete[0]?.measurements ?? []).map(({ phase, title, primaryRate }) => ({
    phase,
    title,
    primaryRate,
    values: getValues(
      complete.flatMap(({ measurements }) => measurements.filter((one) => one.phase === phase)),
    ),
  }));
}
