import type { Options } from '../options/schema.js';
import type { Run, Warning } from '../report/schema/report.js';
import { areStable } from '../report/statistics/figures.js';
import { warningOf } from '../report/warning-catalogue.js';

type Wanted = Pick<Options, 'runs' | 'seconds' | 'untilStable' | 'maxRuns'>;

/** Whether the runs so far are all that was asked for. */
export function isEnough(runs: readonly Run[], elapsedSeconds: number, wanted: Wanted): boolean {
  if (runs.length < wanted.runs || elapsedSeconds < wanted.seconds) return false;
  return (
    wanted.untilStable === undefined || runs.length >= wanted.maxRuns || areStable(runs, wanted.untilStable)
  );
}

/** When the runs are over and the figures are not stable. */
export function unstableWarning(runs: readonly Run[], { untilStable, maxRuns }: Wanted): Warning | null {
  if (untilStable === undefined || areStable(runs, untilStable)) return null;
  return warningOf('not-stable', {
    runs: runs.length,
    withinPercent: untilStable,
    maxRuns: Math.max(maxRuns, runs.length),
  });
}
