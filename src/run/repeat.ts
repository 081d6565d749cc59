import type { Options } from '../options/schema.js';
import type { Run, Warning } from '../report/schema/report.js';
import { areStable } from '../report/statistics/figures.js';
import { warningOf } from '../report/warning-catalogue.js';

type Repetition = Pick<Options, 'runs' | 'seconds' | 'untilStable' | 'maxRuns'>;

/** Whether no more runs are needed. */
export function isEnough(runs: readonly Run[], elapsedSeconds: number, wanted: Repetition): boolean {
  if (runs.length < wanted.runs || elapsedSeconds < wanted.seconds) return false;
  return (
    wanted.untilStable === undefined || runs.length >= wanted.maxRuns || areStable(runs, wanted.untilStable)
  );
}

/** The warning for figures that are not stable after the last run. */
export function unstableWarning(runs: readonly Run[], { untilStable, maxRuns }: Repetition): Warning | null {
  if (untilStable === undefined || areStable(runs, untilStable)) return null;
  return warningOf('not-stable', {
    runs: runs.length,
    withinPercent: untilStable,
    maxRuns: Math.max(maxRuns, runs.length),
  });
}
