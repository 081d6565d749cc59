import type { Dataset, Phase } from '../../workers/phases/phase.js';
import { getPhase } from '../../workers/phases/phase-catalogue.js';
import type { Assignment, Transfer } from '../../workers/protocol.js';
import { GobonnieError } from '../errors.js';
import type { Options } from '../options/options-schema.js';
import type { PhaseGoal } from '../report/events/event.js';
import { flag, msg } from '../text/message-template.js';

/** One thing to measure: a phase with its parameters. */
export interface Step {
  readonly phase: string;
  readonly transfer: Transfer;
  readonly goal: PhaseGoal;
  /** The work of each worker. */
  readonly assignments: readonly Assignment[];
}

/** How much of each dataset the earlier phases have created. */
type CreatedDatasets = ReadonlyMap<Dataset, 'all' | 'part'>;

const CREATING_PHASES: Readonly<Record<Dataset, { readonly noun: string; readonly phase: string }>> = {
  data: { noun: 'data', phase: 'write' },
  tree: { noun: 'files', phase: 'create' },
  'random-tree': { noun: 'files', phase: 'create-random' },
};

/** Returns the phases by their names, in order. Rejects a phase if no earlier one creates the files it uses. */
export function resolvePhases(names: readonly string[], byteWiseCoversAll: boolean): readonly Phase[] {
  const created = new Map<Dataset, 'all' | 'part'>();
  return names.map(getPhase).map((phase) => {
    rejectWithoutData(phase, created);
    if (phase.access === 'creates')
      created.set(phase.dataset, phase.ioUnit === 'bytes' && !byteWiseCoversAll ? 'part' : 'all');
    if (phase.access === 'deletes') created.delete(phase.dataset);
    return phase;
  });
}

function rejectWithoutData({ name, dataset, access, ioUnit }: Phase, created: CreatedDatasets): void {
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
export function phaseGoal(
  phase: Pick<Phase, 'endCondition' | 'ioUnit' | 'runBy'>,
  options: Pick<Options, 'iopsDuration' | 'seeks' | 'files' | 'stonewall'>,
  work: PlannedWork,
): PhaseGoal {
  const { iopsDuration, stonewall } = options;
  if (phase.endCondition === 'duration') return { unit: 'seconds', amount: iopsDuration };
  return {
    ...workGoal(phase, options, work),
    ...(stonewall !== undefined && { timeLimitSeconds: stonewall }),
  };
}

/** Returns when the workers are stopped, regardless of the remaining work. Null if they are not stopped. */
export function stopAfterSeconds({ unit, amount, timeLimitSeconds }: PhaseGoal): number | null {
  return unit === 'seconds' ? amount : (timeLimitSeconds ?? null);
}

function workGoal(
  { ioUnit, runBy }: Pick<Phase, 'ioUnit' | 'runBy'>,
  options: Pick<Options, 'seeks' | 'files'>,
  { totalBytes, byteWiseTotalBytes }: PlannedWork,
): PhaseGoal {
  if (ioUnit === 'files') return { unit: 'operations', amount: options.files };
  if (ioUnit === 'bytes') return { unit: 'bytes', amount: byteWiseTotalBytes };
  return runBy === 'seek-threads'
    ? { unit: 'operations', amount: options.seeks }
    : { unit: 'bytes', amount: totalBytes };
}
