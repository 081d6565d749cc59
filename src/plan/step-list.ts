import type { Phase } from '../../workers/phases/phase.js';
import { getPhase } from '../../workers/phases/phase-catalogue.js';
import type { Assignment, Slice, Transfer } from '../../workers/protocol.js';
import { Random } from '../../workers/random.js';
import { optionError } from '../errors.js';
import type { Machine } from '../machine/machine-schema.js';
import { MAX_THREADS } from '../options/option-row.js';
import type { NamedStep, Options } from '../options/options-schema.js';
import { flag, msg } from '../text/message-template.js';
import { formatBytes, GIB } from '../text/units.js';
import { countWorkers } from './engine.js';
import { maxWorkers } from './memory-layout.js';
import type { Step } from './steps.js';
import { planTransfer } from './transfer.js';

/** The layout's block is a multiple of this, for direct I/O on every device. */
const BLOCK_UNIT_BYTES = 4096;

/** Returns the options with which the data of a list of steps is laid out: one file, in blocks of the largest size. */
export function toLayoutOptions(options: Options): Options {
  const { steps } = options;
  if (!steps) return options;
  const sizes = steps.map(({ phase, blockSize = options.blockSize, ioSize = options.ioSize }) =>
    phase === 'random' ? ioSize : blockSize,
  );
  const largest = Math.max(options.blockSize, ...sizes);
  const blockSize = Math.ceil(largest / BLOCK_UNIT_BYTES) * BLOCK_UNIT_BYTES;
  return { ...options, blockSize, ioSize: Math.min(options.ioSize, blockSize), oneFile: true };
}

/** Plans a step on data that one slice holds. */
export function planStep(
  own: NamedStep,
  options: Options,
  machine: Machine,
  slice: Slice,
  defaultThreads: number,
): Step {
  const { name, blockSize = options.blockSize, ioSize = options.ioSize } = own;
  const { mix = options.mix, direct = options.direct, engine = options.engine, depth = options.depth } = own;
  const threads = countWorkers(own.threads ?? defaultThreads, { engine, depth }, machine);
  const isRandom = own.phase === 'random';
  const planned = planTransfer({ ...options, blockSize, ioSize, mix, direct, engine, depth }, machine, [
    slice,
  ]);
  const transfer = {
    ...planned,
    strideBytes: threads * blockSize,
    fsync: own.fsync ?? planned.fsync,
    syncPerWrite: own.syncPerWrite ?? planned.syncPerWrite,
  };
  const seconds = own.seconds ?? options.iopsDuration;
  const maxBytes = own.size === undefined ? Number.POSITIVE_INFINITY : own.size * GIB;
  // The data exists, so a write overwrites it.
  const phase = getPhase(own.phase === 'write' ? 'overwrite' : own.phase);
  const assignments = shareSlice(phase, transfer, slice, threads, maxBytes);
  const operations = Math.ceil(maxBytes / transfer.ioSizeBytes / threads);
  return {
    name,
    title: name,
    phase,
    transfer,
    goal: isRandom
      ? { unit: 'seconds', amount: seconds }
      : { unit: 'bytes', amount: sharedBytes(assignments, transfer), timeLimitSeconds: seconds },
    maxOperationsPerWorker: isRandom && Number.isFinite(operations) ? operations : null,
    assignments,
  };
}

/**
 * Returns each thread's part of the data. In a random step every thread uses all of it. In a sequential step the
 * threads take turns at the blocks: together they form one stream.
 */
export function shareSlice(
  phase: Phase,
  { blockSizeBytes }: Transfer,
  slice: Slice,
  threads: number,
  maxBytes = Number.POSITIVE_INFINITY,
): readonly Assignment[] {
  if (phase.order === 'random')
    return Array.from({ length: threads }, () => ({ slices: [slice], tree: null }));
  const blocks = Math.floor(Math.min(slice.lengthBytes, maxBytes) / blockSizeBytes);
  return Array.from({ length: threads }, (_, index) => {
    const skippedBytes = index * blockSizeBytes;
    const own = {
      ...slice,
      offsetBytes: slice.offsetBytes + skippedBytes,
      lengthBytes: blocks * blockSizeBytes - skippedBytes,
    };
    return { slices: own.lengthBytes > 0 ? [own] : [], tree: null };
  });
}

/** The first thread's slice reaches from the first block to the last. */
function sharedBytes([first]: readonly Assignment[], { blockSizeBytes }: Transfer): number {
  const bytes = first?.slices[0]?.lengthBytes ?? 0;
  if (bytes > 0) return bytes;
  throw optionError(
    msg`a step moves less than one block of ${formatBytes(blockSizeBytes)}`,
    msg`pass a larger size to ${flag('steps')}, or a smaller block-size`,
  );
}

/** Returns the contiguous part that workers have written by taking turns, if they had to stop early. */
export function writtenPart(slice: Slice, blockBytes: number, writtenBytes: readonly number[]): Slice {
  const threads = writtenBytes.length;
  const blocks = writtenBytes.map((bytes, index) => (bytes / blockBytes) * threads + index);
  return { ...slice, lengthBytes: Math.min(slice.lengthBytes, Math.min(...blocks) * blockBytes) };
}

/** Returns the steps in another order for each run: a drift of the disk then does not look like an effect of a setting. */
export function shuffleSteps(steps: readonly Step[], seed: number, run: number): readonly Step[] {
  return new Random(seed, run).shuffle(steps);
}

/** Returns how many threads fit into the memory with the steps of these options. */
export function maxStepThreads(options: Options, machine: Machine): number {
  return Math.min(MAX_THREADS, maxWorkers(toLayoutOptions(options), machine));
}

/** True if the memory is sufficient for a step that names its threads. */
export function fitsMemory(step: NamedStep, options: Options, machine: Machine): boolean {
  const { threads = 1, engine = options.engine, depth = options.depth } = step;
  return countWorkers(threads, { engine, depth }, machine) <= maxStepThreads(options, machine);
}
