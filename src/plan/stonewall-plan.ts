import type { Phase } from '../../workers/phases/phase.js';
import type { Assignment, FileTree, Slice, Transfer } from '../../workers/protocol.js';
import type { Options } from '../options/options-schema.js';
import { assignWork } from './files.js';

/** After this multiple of the time, --stonewall stops the threads that are still behind the fastest one. */
const WEAR_OUT_FACTOR = 2;

type EndCondition = Pick<Phase, 'endCondition' | 'runBy'>;

/** Returns when --stonewall stops a phase. Null if it does not. */
export function stonewallDeadlineSeconds(
  { endCondition }: Pick<Phase, 'endCondition'>,
  { stonewall }: Pick<Options, 'stonewall'>,
): number | null {
  return endCondition === 'work' && stonewall !== undefined ? stonewall : null;
}

/** Returns when --stonewall stops a phase, and when it stops the threads that then catch up. Null for other phases. */
export function stonewallWindow(
  phase: EndCondition,
  options: Pick<Options, 'stonewall'>,
): { readonly seconds: number; readonly lastSeconds: number } | null {
  const seconds = stonewallDeadlineSeconds(phase, options);
  // Seek threads share their work, so a faster thread does more.
  if (seconds === null || phase.runBy === 'seek-threads') return null;
  return { seconds, lastSeconds: WEAR_OUT_FACTOR * seconds };
}

/** Returns when the workers are stopped, regardless of the remaining work. Null if they are not stopped. */
export function phaseDurationSeconds(
  phase: EndCondition,
  options: Pick<Options, 'stonewall' | 'iopsDuration'>,
): number | null {
  if (phase.endCondition === 'duration') return options.iopsDuration;
  return phase.runBy === 'seek-threads' ? stonewallDeadlineSeconds(phase, options) : null;
}

/** Returns the minimum work per worker: the blocks that one random operation of a later phase needs. */
export function leastSteps({
  blockSizeBytes,
  ioSizeBytes,
}: Pick<Transfer, 'blockSizeBytes' | 'ioSizeBytes'>): number {
  return Math.ceil(ioSizeBytes / blockSizeBytes);
}

/** The part of the plan that describes the complete files. */
interface PlannedFiles {
  readonly slices: readonly Slice[];
  readonly trees: readonly FileTree[];
  readonly threads: number;
  readonly options: Pick<Options, 'seekThreads' | 'dataFiles'>;
  readonly transfer: Pick<Transfer, 'blockSizeBytes' | 'ioSizeBytes'>;
}

/** Returns the work of a phase if each worker has created only `steps` blocks or files. */
export function limitAssignments(
  phase: Pick<Phase, 'runBy' | 'dataset'>,
  { slices, trees, threads, options, transfer }: PlannedFiles,
  steps: number,
): readonly Assignment[] {
  const created = {
    slices: limitSlices(slices, options.dataFiles, steps * transfer.blockSizeBytes),
    trees: trees.map((tree) => ({ ...tree, createdCount: Math.min(tree.count, steps) })),
  };
  return assignWork(phase, created, threads, options).map((assignment) => ({
    ...assignment,
    slices: assignment.slices.filter(({ lengthBytes }) => lengthBytes >= transfer.ioSizeBytes),
  }));
}

/** Limits the bytes of each thread, which fills its slices one after another. */
function limitSlices(slices: readonly Slice[], slicesPerThread: number, bytes: number): readonly Slice[] {
  let remainingBytes = bytes;
  return slices.map((slice, index) => {
    if (index % slicesPerThread === 0) remainingBytes = bytes;
    const lengthBytes = Math.min(slice.lengthBytes, remainingBytes);
    remainingBytes -= lengthBytes;
    return { ...slice, lengthBytes };
  });
}
