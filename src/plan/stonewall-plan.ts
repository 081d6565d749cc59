import type { Phase } from '../../workers/phases/phase.js';
import type { Assignment, Slice, Transfer } from '../../workers/protocol.js';
import { assignWork } from './files.js';
import type { RunPlan } from './plan.js';

/** Returns the minimum steps per worker: the blocks that one random operation of a later phase needs. */
export function leastSteps({
  blockSizeBytes,
  ioSizeBytes,
}: Pick<Transfer, 'blockSizeBytes' | 'ioSizeBytes'>): number {
  return Math.ceil(ioSizeBytes / blockSizeBytes);
}

/** Returns the work of a phase if each thread has created only this many bytes or files. */
export function limitAssignments(
  phase: Pick<Phase, 'runBy' | 'dataset'>,
  {
    slices,
    trees,
    threads,
    options,
    transfer,
  }: Pick<RunPlan, 'slices' | 'trees' | 'threads' | 'options' | 'transfer'>,
  createdAmounts: readonly number[],
): readonly Assignment[] {
  const created = {
    slices: limitSlices(slices, options.dataFiles, createdAmounts),
    trees: trees.map((tree, thread) => ({ ...tree, createdCount: createdAmounts[thread] ?? 0 })),
  };
  return assignWork(phase, created, threads, options).map((assignment) => ({
    ...assignment,
    slices: assignment.slices.filter(({ lengthBytes }) => lengthBytes >= transfer.ioSizeBytes),
  }));
}

/** Limits each thread's slices to the bytes that it has written. A thread fills its slices one after another. */
function limitSlices(
  slices: readonly Slice[],
  slicesPerThread: number,
  writtenBytes: readonly number[],
): readonly Slice[] {
  let remainingBytes = 0;
  return slices.map((slice, index) => {
    if (index % slicesPerThread === 0) remainingBytes = writtenBytes[index / slicesPerThread] ?? 0;
    const lengthBytes = Math.min(slice.lengthBytes, remainingBytes);
    remainingBytes -= lengthBytes;
    return { ...slice, lengthBytes };
  });
}
