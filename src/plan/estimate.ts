import type { Phase } from '../../workers/phases/phase.js';
import { getPhase } from '../../workers/phases/phase-catalogue.js';
import type { RunPlan } from './plan.js';

type PlannedPhases = Pick<RunPlan, 'phases' | 'totalBytes' | 'options'>;

/** Returns the bytes that the block tests of a run write, unless --stonewall stops them early. */
export function estimateWrittenBytes({ phases, totalBytes }: PlannedPhases): number {
  return fullPasses(phases).filter(({ durable }) => durable).length * totalBytes;
}

/** Returns the time for the full passes at this speed and for the timed phases, without all other parts of a run. */
export function estimateSeconds(
  bytesPerSecond: number,
  { phases, totalBytes, options }: PlannedPhases,
): number {
  const timed = phases.map(getPhase).filter(({ endCondition }) => endCondition === 'duration').length;
  const passSeconds = Math.min(totalBytes / bytesPerSecond, options.stonewall ?? Number.POSITIVE_INFINITY);
  return fullPasses(phases).length * passSeconds + timed * options.iopsDuration;
}

/** Returns the phases that move all of the data. */
function fullPasses(phases: readonly string[]): readonly Phase[] {
  return phases.map(getPhase).filter(({ ioUnit, runBy }) => ioUnit === 'blocks' && runBy === 'threads');
}
