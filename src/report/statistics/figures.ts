import { rateOf } from '../rate.js';
import { isComplete } from '../results.js';
import type { FigureStatistics, Measurement, Run } from '../schema/report.js';
import { type Spread, spreadOf } from './spread.js';
import { isStable, statisticsOf } from './statistics.js';

/** One figure of every complete run. */
interface Figure extends Pick<Measurement, 'phase' | 'title' | 'figure'> {
  readonly values: readonly number[];
}

export function statisticsOfRuns(runs: readonly Run[]): FigureStatistics[] {
  return figuresOf(runs).map(({ phase, title, figure, values }) => ({
    phase,
    title,
    figure,
    ...statisticsOf(values),
  }));
}

/** Whether more runs would hardly move any figure. */
export function areStable(runs: readonly Run[], withinPercent: number): boolean {
  const figures = figuresOf(runs);
  return figures.length > 0 && figures.every(({ values }) => isStable(values, withinPercent));
}

/** The figures whose mean hides how the runs are spread. */
export function spreadsOf(
  runs: readonly Run[],
): readonly (Omit<Figure, 'values'> & { readonly spread: Spread })[] {
  return figuresOf(runs).flatMap(({ values, ...figure }) => {
    const spread = spreadOf(values);
    return spread ? [{ ...figure, spread }] : [];
  });
}

function figuresOf(runs: readonly Run[]): readonly Figure[] {
  const complete = runs.filter(isComplete);
  return (complete[0]?.measurements ?? []).map(({ phase, title, figure }) => ({
    phase,
    title,
    figure,
    values: complete.flatMap(({ measurements }) =>
      measurements.filter((measurement) => measurement.phase === phase).map(rateOf),
    ),
  }));
}
