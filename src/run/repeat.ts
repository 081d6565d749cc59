import type { Options } from '../options/schema.js';
import type { Run, Warning } from '../report/schema/report.js';
import { areStable } from '../report/statistics/figures.js';

type Wanted = Pick<Options, 'runs' | 'seconds' | 'untilStable' | 'maxRuns'>;

/** Whether the runs so far are all that was asked for. */
export function isEnough(runs: readonly Run[], elapsedSeconds: number, wanted: Wanted): boolean {
  if (runs.length < wanted.runs || elapsedSeconds < wanted.seconds) return false;
  return (
    wanted.untilStable === undefined || runs.length >= wanted.maxRuns || areStable(runs, wanted.untilStable)
  );
}

/** That the runs have come to an end without being stable. */
export function unstableWarning(runs: readonly Run[], { untilStable, maxRuns }: Wanted): Warning | null {
  if (untilStable === undefined || areStable(runs, untilStable)) return null;
  return {
    code: 'not-stable',
    phase: null,
    message: `after ${runs.length} runs the figures are still not within ${untilStable} % of their means`,
    hint: `look for what else uses the machine, or pass a larger --until-stable or --max-runs than ${Math.max(maxRuns, runs.length)}`,
  };
}
