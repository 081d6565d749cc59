import type { Phase } from '../../workers/phases/phase.js';
import { getPhase } from '../../workers/phases/phase-catalogue.js';
import { sum } from '../report/statistics/statistics.js';
import type { RunPlan } from './plan.js';
import type { Step } from './steps.js';

type PlannedSteps = Pick<RunPlan, 'steps' | 'totalBytes' | 'options'>;

/** Returns the bytes that the block tests of a run write, unless --stonewall stops them early. */
export function estimateWrittenBytes({ steps, totalBytes }: PlannedSteps): number {
  return fullPasses(steps).filter(({ durable }) => durable).length * totalBytes;
}

/** Returns the time for the full passes at this speed and for the timed phases, without all other parts of a run. */
export function estimateSeconds(
  bytesPerSecond: number,
  { steps, totalBytes, options }: PlannedSteps,
): number {
  const timedSeconds = steps.map(({ goal }) => (goal.unit === 'seconds' ? goal.amount : 0));
  const passSeconds = Math.min(totalBytes / bytesPerSecond, options.stonewall ?? Number.POSITIVE_INFINITY);
  return fullPasses(steps).length * passSeconds + sum(timedSeconds);
}

/** Returns the phases that move all of the data. */
function fullPasses(steps: readonly Step[]): readonly Phase[] {
  return steps
    .map(({ phase }) => getPhase(phase))
    .filter(({ ioUnit, runBy }) => ioUnit === 'blocks' && runBy === 'threads');
}
