import { supportsDirect } from '../../workers/phases/phase.js';
import { directIoReachesDevice } from '../machine/filesystem.js';
import { isSupportedOn } from '../options/platform-support.js';
import type { RunPlan } from './plan.js';
import type { Step } from './steps.js';
import { directUnitBytes } from './transfer.js';

/** The share of its duration for which a step is measured again. */
const REPEAT_SHARE = 1 / 3;

/**
 * Returns a shorter step that bypasses the page cache, for a step whose reads the cache may have served. Null if that is
 * not possible here, or if the options ask for results as timed.
 */
export function toDirectStep(step: Step, { options, machine }: RunPlan, timedSeconds: number): Step | null {
  const { phase, goal, transfer } = step;
  const { platform, target } = machine;
  const isAsTimed = step.keepsCached || options.cache === 'keep' || target.isMemory;
  const isPossible =
    isSupportedOn('direct', platform) && target.acceptsDirect === true && directIoReachesDevice(target);
  if (isAsTimed || !isPossible || transfer.direct || !phase.coldCache || !supportsDirect(phase)) return null;
  const unitBytes = directUnitBytes(target);
  if (transfer.blockSizeBytes % unitBytes !== 0) return null;
  const ioSizeBytes = Math.ceil(transfer.ioSizeBytes / unitBytes) * unitBytes;
  const maxSeconds = Math.max(timedSeconds, options.iopsDuration) * REPEAT_SHARE;
  return {
    ...step,
    transfer: { ...transfer, direct: true, ioSizeBytes, alignBytes: ioSizeBytes },
    goal:
      goal.unit === 'seconds'
        ? { ...goal, amount: goal.amount * REPEAT_SHARE }
        : { ...goal, timeLimitSeconds: Math.min(maxSeconds, goal.timeLimitSeconds ?? maxSeconds) },
  };
}
