import type { Assignment } from '../../workers/protocol.js';
import { sum } from '../report/statistics/statistics.js';
import { assignWork } from './files.js';
import type { RunPlan } from './plan.js';
import { limitSlices, shareSlices, stepSlices, writtenSlices } from './slices.js';
import type { Step } from './steps.js';

/** Returns the minimum steps per worker: the phase's own, or the blocks that one random operation of a later phase needs. */
export function minOperations({ phase, transfer: { blockSizeBytes, ioSizeBytes } }: Step): number {
  return phase.duration?.minOperations ?? Math.ceil(ioSizeBytes / blockSizeBytes);
}

/** Returns the work of a step if each thread has created only this many bytes or files. */
export function limitAssignments(
  { phase, transfer, assignments, dataFiles }: Step,
  { slices, trees, threads, options, machine, sharesData, layout, steps }: RunPlan,
  createdAmounts: readonly number[],
): readonly Assignment[] {
  if (sharesData) {
    const { blockSizeBytes = 0 } = (layout ?? steps[0])?.transfer ?? {};
    const threadsPerFile = createdAmounts.length / slices.length;
    // The threads of a fill write all files. Those of a layout write one file each.
    const amounts = createdAmounts.filter(
      (_, thread) => typeof dataFiles !== 'number' || Math.floor(thread / threadsPerFile) === dataFiles,
    );
    const written = writtenSlices(stepSlices({ dataFiles }, slices), blockSizeBytes, amounts);
    const maxBytes = sum(assignments[0]?.slices.map(({ lengthBytes }) => lengthBytes) ?? []);
    return shareSlices(phase, transfer, written, assignments.length, maxBytes);
  }
  const created = {
    // A thread fills its files one after another.
    slices: createdAmounts.flatMap((bytes, thread) => {
      const first = thread * options.dataFiles;
      return limitSlices(slices.slice(first, first + options.dataFiles), bytes);
    }),
    trees: trees.map((tree, thread) => ({ ...tree, createdCount: createdAmounts[thread] ?? 0 })),
    installedFiles: sum(createdAmounts),
  };
  return assignWork(phase, created, threads, options, machine).map((assignment) => ({
    ...assignment,
    slices: assignment.slices.filter(({ lengthBytes }) => lengthBytes >= transfer.ioSizeBytes),
  }));
}
