import type { Dataset, Phase } from '../../workers/phases/phase.js';
import { phases } from '../../workers/phases/phase-catalogue.js';
import type { Assignment, Transfer } from '../../workers/protocol.js';
import { optionError } from '../errors.js';
import type { StepGoal } from '../report/events/event-record.js';
import { flag, msg } from '../text/message-template.js';
import type { StepFacts } from './requested-steps.js';

/** One thing to measure: a phase with its parameters. */
export interface Step extends StepFacts {
  readonly transfer: Transfer;
  readonly goal: StepGoal;
  /** Ends a worker's part before the goal is reached. Null without a maximum. */
  readonly maxOperationsPerWorker: number | null;
  readonly assignments: readonly Assignment[];
}

/** Returns the size of an operation on a block. */
export function operationBytes({ phase, transfer }: Step): number {
  return phase.ioUnit === 'random-blocks' ? transfer.ioSizeBytes : transfer.blockSizeBytes;
}

/** Rejects a phase if no earlier one creates the files it uses. */
export function rejectPhasesWithoutFiles(planned: readonly Phase[], byteWiseCoversAll: boolean): void {
  /** How much of each dataset the earlier phases have created. */
  const created = new Map<Dataset, 'all' | 'part'>();
  for (const { name, dataset, access, ioUnit } of planned) {
    if (dataset === 'existing') continue;
    const existing = created.get(dataset);
    const isEnough = existing === 'all' || (existing === 'part' && ioUnit === 'bytes');
    if (access === 'creates') created.set(dataset, ioUnit === 'bytes' && !byteWiseCoversAll ? 'part' : 'all');
    else if (!isEnough) {
      const creates = (one: Phase) =>
        one.dataset === dataset && one.access === 'creates' && one.ioUnit !== 'bytes';
      throw optionError(
        msg`${flag('phases')}: ${name} needs ${dataset === 'data' ? 'data' : 'files'} from an earlier phase`,
        `put ${phases.find(creates)?.name} before it`,
      );
    }
    if (access === 'deletes') created.delete(dataset);
  }
}
