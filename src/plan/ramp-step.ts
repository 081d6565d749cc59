import { supportsDirect } from '../../workers/phases/phase.js';
import { MIB } from '../text/units.js';
import type { RunPlan } from './plan.js';
import { operationBytes, type Step } from './steps.js';

/** A device with a limit first grants the credits of an idle moment. A longer step averages them out. */
const MAX_STEP_SECONDS = 5;
const SECONDS = 0.15;
/** A fast disk is busy sooner, and should not be worn by more. */
const MAX_WRITTEN_BYTES = 64 * MIB;

/**
 * Returns the beginning of a short direct step, which runs before it without a result, like fio's ramp_time: the measurement
 * then finds a busy disk. Null for other steps, for steps with pauses, and for phases without laid-out data, whose data
 * differs from run to run.
 */
export function toRampStep(step: Step, { layout }: Pick<RunPlan, 'layout'>): Step | null {
  const { phase, transfer, goal, assignments, maxOperationsPerWorker } = step;
  const seconds = goal.unit === 'seconds' ? goal.amount : (goal.timeLimitSeconds ?? Infinity);
  if (
    !layout ||
    phase.access !== 'uses' ||
    !transfer.direct ||
    transfer.intervalMs !== null ||
    !supportsDirect(phase) ||
    seconds >= MAX_STEP_SECONDS
  )
    return null;
  const roundBytes = operationBytes(step) * assignments.length;
  const maxOperations = transfer.readPercent === 100 ? Infinity : Math.ceil(MAX_WRITTEN_BYTES / roundBytes);
  const operations = Math.min(maxOperations, maxOperationsPerWorker ?? Infinity);
  return {
    ...step,
    goal:
      phase.ioUnit === 'random-blocks'
        ? { unit: 'seconds', amount: SECONDS }
        : { ...goal, amount: Math.min(goal.amount, operations * roundBytes), timeLimitSeconds: SECONDS },
    maxOperationsPerWorker: Number.isFinite(operations) ? operations : null,
    transfer: { ...transfer, fsync: false },
  };
}
