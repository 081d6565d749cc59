import { rate, sampleOf } from '../metrics.js';
import { rateOf } from '../rate.js';
import { isComplete } from '../results.js';
import { figuresOfPhase } from '../results-of-report.js';
import type { RateStatistics, Measurement, Report, Run } from '../schema/report.js';
import { type Spread, spreadOf } from './spread.js';
import { isStable, reachPercentOf, statisticsOf } from './statistics.js';

/** Runs, and whether they were in memory. */
export interface Measured {
  readonly runs: readonly Run[];
  readonly target: Pick<Report['target'], 'isMemory'>;
}

/** One figure of every complete run. */
interface Figure extends Pick<Measurement, 'phase' | 'title' | 'primaryRate'> {
  readonly values: readonly number[];
}

/** Of the rates as they were timed. */
export function statisticsOfRuns(runs: readonly Run[]): RateStatistics[] {
  return figuresOf(runs, (measurements) => measurements.map(rateOf)).map(
    ({ phase, title, primaryRate, values }) => ({
      phase,
      title,
      primaryRate,
      ...statisticsOf(values),
    }),
  );
}

/** Whether more runs would hardly move any figure. */
export function areStable(measured: Measured, withinPercent: number): boolean {
  const figures = judgedFigures(measured);
  return figures.length > 0 && figures.every(({ values }) => isStable(values, withinPercent));
}

/** How far the interval of each figure reaches to either side, in percent of its mean, where that is known. */
export function reachesPercentOf(measured: Measured): readonly number[] {
  return judgedFigures(measured).flatMap(({ values }) => reachPercentOf(statisticsOf(values)) ?? []);
}

/** The figures whose mean hides how the runs are spread. */
export function spreadsOf(
  measured: Measured,
): readonly (Omit<Figure, 'values'> & { readonly spread: Spread })[] {
  return judgedFigures(measured).flatMap(({ values, ...primaryRate }) => {
    const spread = spreadOf(values);
    return spread ? [{ ...primaryRate, spread }] : [];
  });
}

/** The rates of the disk; as they were timed if memory helped a single run. */
function judgedFigures(measured: Measured): readonly Figure[] {
  return figuresOf(measured.runs, (measurements) => {
    const rows = measurements.map((one) => figuresOfPhase(one, measured));
    return sampleOf(rows, rate).values;
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
