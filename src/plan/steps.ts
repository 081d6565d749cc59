import type { Dataset, Phase } from '../../workers/phases/phase.js';
import { getPhase } from '../../workers/phases/phase-catalogue.js';
import type { Assignment, Transfer } from '../../workers/protocol.js';
import { GobonnieError } from '../errors.js';
import type { Options } from '../options/options-schema.js';
import type { StepGoal } from '../report/events/event-record.js';
import { flag, msg } from '../text/message-template.js';

/** One thing to measure: a phase with its parameters. */
export interface Step {
  /** Unique in a plan. Results, conditions and comparisons go by it. */
  readonly name: string;
  readonly title: string;
  readonly phase: string;
  readonly transfer: Transfer;
  readonly goal: StepGoal;
  /** Ends a worker's part before the goal is reached. Null without a maximum. */
  readonly maxOperationsPerWorker: number | null;
  /** The work of each worker. */
  readonly assignments: readonly Assignment[];
}

const CREATING_PHASES: Readonly<Record<Dataset, { readonly noun: string; readonly phase: string }>> = {
  data: { noun: 'data', phase: 'write' },
  tree: { noun: 'files', phase: 'create' },
  'random-tree': { noun: 'files', phase: 'create-random' },
};

/** Returns the phases by their names, in order. Rejects a phase if no earlier one creates the files it uses. */
export function resolvePhases(names: readonly string[], byteWiseCoversAll: boolean): readonly Phase[] {
  /** How much of each dataset the earlier phases have created. */
  const created = new Map<Dataset, 'all' | 'part'>();
  return names.map(getPhase).map((phase) => {
    rejectWithoutData(phase, created);
    if (phase.access === 'creates')
      created.set(phase.dataset, phase.ioUnit === 'bytes' && !byteWiseCoversAll ? 'part' : 'all');
    if (phase.access === 'deletes') created.delete(phase.dataset);
    return phase;
  });
}

function rejectWithoutData(
  { name, dataset, access, ioUnit }: Phase,
  created: ReadonlyMap<Dataset, 'all' | 'part'>,
): void {
  if (access === 'creates' || created.get(dataset) === 'all') return;
  if (created.get(dataset) === 'part' && ioUnit === 'bytes') return;
  const { noun, phase } = CREATING_PHASES[dataset];
  throw new GobonnieError(
    'option-invalid',
    msg`${flag('phases')}: ${name} needs ${noun} from an earlier phase`,
    `put ${phase} before it`,
  );
}

interface PlannedWork {
  readonly totalBytes: number;
  readonly byteWiseTotalBytes: number;
}

/** Returns the amount of work of a phase, with its time limit. */
export function stepGoal(
  { endCondition, ioUnit, runBy }: Pick<Phase, 'endCondition' | 'ioUnit' | 'runBy'>,
  { iopsDuration, stonewall, files, seeks }: Pick<Options, 'iopsDuration' | 'stonewall' | 'files' | 'seeks'>,
  { totalBytes, byteWiseTotalBytes }: PlannedWork,
): StepGoal {
  if (endCondition === 'duration') return { unit: 'seconds', amount: iopsDuration };
  const limit = stonewall === undefined ? {} : { timeLimitSeconds: stonewall };
  if (ioUnit === 'files') return { unit: 'operations', amount: files, ...limit };
  if (runBy === 'seek-threads') return { unit: 'operations', amount: seeks, ...limit };
  return { unit: 'bytes', amount: ioUnit === 'bytes' ? byteWiseTotalBytes : totalBytes, ...limit };
}
