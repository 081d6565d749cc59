import type { Phase } from '../../workers/phases/phase.js';
import type { Assignment, FileTree, Slice, Transfer } from '../../workers/protocol.js';
import type { Options } from '../options/schema.js';
import { assign } from './files.js';

/** After this many times --stonewall the threads that are still behind the furthest are stopped. */
const WEAR_OUT = 2;

type Ends = Pick<Phase, 'endCondition' | 'runBy'>;

/** When --stonewall cuts a phase. Null if it does not. */
export function cutSecondsOf(
  { endCondition }: Pick<Phase, 'endCondition'>,
  { stonewall }: Pick<Options, 'stonewall'>,
): number | null {
  return endCondition === 'work' && stonewall !== undefined ? stonewall : null;
}

/** When a phase is cut whose threads then catch up with the furthest, and when they are stopped. Null for all others. */
export function stonewallOf(
  phase: Ends,
  options: Pick<Options, 'stonewall'>,
): { readonly seconds: number; readonly lastSeconds: number } | null {
  const seconds = cutSecondsOf(phase, options);
  // Seekers share their work, so that a faster one does more.
  if (seconds === null || phase.runBy === 'seek-threads') return null;
  return { seconds, lastSeconds: WEAR_OUT * seconds };
}

/** After how long the workers are stopped, whatever is left to do. Null if they are not. */
export function durationSecondsOf(
  phase: Ends,
  options: Pick<Options, 'stonewall' | 'iopsDuration'>,
): number | null {
  if (phase.endCondition === 'duration') return options.iopsDuration;
  return phase.runBy === 'seek-threads' ? cutSecondsOf(phase, options) : null;
}

/** So much each worker does however slow it is: later phases need room for one operation. */
export function leastSteps({
  blockSizeBytes,
  ioSizeBytes,
}: Pick<Transfer, 'blockSizeBytes' | 'ioSizeBytes'>): number {
  return Math.ceil(ioSizeBytes / blockSizeBytes);
}

/** The part of the plan that says what there would be. */
interface Made {
  readonly slices: readonly Slice[];
  readonly trees: readonly FileTree[];
  readonly threads: number;
  readonly options: Pick<Options, 'seekThreads' | 'dataFiles'>;
  readonly transfer: Pick<Transfer, 'blockSizeBytes' | 'ioSizeBytes'>;
}

/** What the workers do in a phase if each has made only so many blocks or files of what it works on. */
export function assignmentsWithin(
  phase: Pick<Phase, 'runBy' | 'dataset'>,
  { slices, trees, threads, options, transfer }: Made,
  steps: number,
): readonly Assignment[] {
  const made = {
    slices: slicesWithin(slices, options.dataFiles, steps * transfer.blockSizeBytes),
    trees: trees.map((tree) => ({ ...tree, made: Math.min(tree.count, steps) })),
  };
  return assign(phase, made, threads, options).map((one) => ({
    ...one,
    slices: one.slices.filter(({ lengthBytes }) => lengthBytes >= transfer.ioSizeBytes),
  }));
}

/** Each worker fills its slices one after the other. */
function slicesWithin(slices: readonly Slice[], each: number, bytes: number): readonly Slice[] {
  let leftBytes = bytes;
  return slices.map((slice, at) => {
    if (at % each === 0) leftBytes = bytes;
    const lengthBytes = Math.min(slice.lengthBytes, leftBytes);
    leftBytes -= lengthBytes;
    return { ...slice, lengthBytes };
  });
}
