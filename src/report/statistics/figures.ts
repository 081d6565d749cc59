import { metricValues, rateMetric } from '../metrics.js';
import { primaryRateOf } from '../rate.js';
import { figuresOfPhase } from '../report-to-results.js';
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
interface Figure extends Pick<Measurement, 'phase' | 'title' | 'primaryRate'> {
  readonly values: readonly number[];
}

/** Of the rates as they were timed. */
export function computeRunStatistics(runs: readonly Run[]): RateStatistics[] {
  return figuresOf(runs, (measurements) => measurements.map(primaryRateOf)).map(
    ({ phase, title, primaryRate, values }) => ({
      phase,
      title,
      primaryRate,
      ...computeStatistics(values),
    }),
  );
}

/** True if more runs would hardly move any result. */
export function areStable(targetRuns: TargetRuns, withinPercent: number): boolean {
  const figures = judgedFigures(targetRuns);
  return figures.length > 0 && figures.every(({ values }) => isStable(values, withinPercent));
}

/** How far the interval of each figure reaches to either side, in percent of its mean, where that is known. */
export function computeMarginsPercent(targetRuns: TargetRuns): readonly number[] {
  return judgedFigures(targetRuns).flatMap(
    ({ values }) => computeMarginPercent(computeStatistics(values)) ?? [],
  );
}

/** Returns the results whose mean hides how the runs are spread. */
export function findIrregularities(
  targetRuns: TargetRuns,
): readonly (Omit<Figure, 'values'> & { readonly irregularity: Irregularity })[] {
  return judgedFigures(targetRuns).flatMap(({ values, ...phase }) => {
    const irregularity = findIrregularity(values);
    return irregularity ? [{ ...phase, irregularity }] : [];
  });
}

/** The rates of the disk; as they were timed if memory helped a single run. */
function judgedFigures(targetRuns: TargetRuns): readonly Figure[] {
  return figuresOf(targetRuns.runs, (measurements) => {
    const rows = measurements.map((one) => figuresOfPhase(one, targetRuns));
    return metricValues(rows, rateMetric).values;
  });
}

function figuresOf(
  runs: readonly Run[],
  valuesOf: (measurements: readonly Measurement[]) => readonly number[],
): readonly Figure[] {
  const complete = runs.filter(isComplete);
  return (complete[0]?.measurements ?? []).map(({ phase, title, primaryRate }) => ({
    phase,
    title,
    primaryRate,
    values: valuesOf(
      complete.flatMap(({ measurements }) => measurements.filter((one) => one.phase === phase)),
    ),
  }));
}
