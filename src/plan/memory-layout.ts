import { DIRECT_UNIT_BYTES, type MemoryRegion, type Transfer } from '../../workers/protocol.js';
import { GobonnieError } from '../errors.js';
import type { Machine } from '../machine/machine-schema.js';
import { flag, flagAtMost, msg } from '../text/message-template.js';
import { formatBytes, GIB, MIB, pluralize } from '../text/units.js';
import { maxDepth } from './engine.js';
import type { RequestedSteps } from './requested-steps.js';

/** One random block for all workers, then one region per worker. */
export type IoMemoryLayout = Readonly<ReturnType<typeof layOutMemory>>;

interface TransferSizes extends Pick<Transfer, 'blockSizeBytes' | 'ioSizeBytes' | 'fileBlockBytes'> {
  /** The most operations that a worker has in flight. */
  readonly slots: number;
}

/** The limit of WebAssembly.Memory. */
const MAX_IO_MEMORY_BYTES = 4 * GIB;
/** WebAssembly's page, on which every region starts. */
export const IO_PAGE_BYTES = 65_536;
/** Stamped data repeats only after more bytes than filesystems compress at once. */
const MIN_POOL_PERIOD_BYTES = MIB;
/** Memory of a worker thread apart from its I/O memory: 8 to 10.5 MiB, measured on Node 20 to 26. */
const WORKER_BYTES = 12 * MIB;
/** The program and the watcher take 21 to 27 MiB each; the remainder is for the page cache. */
const PROGRAM_BYTES = 80 * MIB;

/** `poolBytes`: the part of a region that holds the worker's own stamped data. */
export function layOutMemory(transfer: TransferSizes, stamped: boolean, workers: number) {
  const { blockSizeBytes, ioSizeBytes, fileBlockBytes, slots } = transfer;
  const transferBytes = Math.max(blockSizeBytes, ioSizeBytes);
  const blockBytes = roundUp(Math.max(transferBytes, fileBlockBytes), IO_PAGE_BYTES);
  const slotBytes = roundUp(transferBytes, DIRECT_UNIT_BYTES);
  const slotsBytes = Math.max(blockBytes, roundUp(slots * slotBytes, IO_PAGE_BYTES));
  const stampedPeriodBytes =
    Math.ceil(Math.max(MIN_POOL_PERIOD_BYTES, transferBytes) / blockSizeBytes) * blockSizeBytes;
  const periodBytes = stamped ? stampedPeriodBytes : 0;
  const poolBytes = stamped ? periodBytes + transferBytes : 0;
  const regionBytes = slotsBytes + roundUp(poolBytes, IO_PAGE_BYTES);
  const totalBytes = blockBytes + regionBytes * workers;
  return { totalBytes, blockBytes, slotBytes, slotsBytes, poolBytes, periodBytes, regionBytes };
}

function maxIoBytes(memoryLimitBytes: number): number {
  return Math.min(MAX_IO_MEMORY_BYTES, memoryLimitBytes / 2);
}

export function workerRegion(layout: IoMemoryLayout, index: number): MemoryRegion {
  const { blockBytes, slotBytes, slotsBytes, regionBytes, poolBytes, periodBytes } = layout;
  const offsetBytes = blockBytes + regionBytes * index;
  return { offsetBytes, slotBytes, poolOffsetBytes: offsetBytes + slotsBytes, poolBytes, periodBytes };
}

function roundUp(bytes: number, unitBytes: number): number {
  return Math.ceil(bytes / unitBytes) * unitBytes;
}

function countFittingWorkers({ blockBytes, regionBytes }: IoMemoryLayout, memoryLimitBytes: number): number {
  const maxByProcess = (memoryLimitBytes - PROGRAM_BYTES - blockBytes) / (WORKER_BYTES + regionBytes);
  const maxByIoMemory = (maxIoBytes(memoryLimitBytes) - blockBytes) / regionBytes;
  return Math.floor(Math.min(maxByProcess, maxByIoMemory));
}

/** Returns how many workers fit into the memory, but at least one. */
export function maxWorkers(requested: RequestedSteps, machine: Machine): number {
  const { blockSize, ioSize, fileBlockSize = blockSize, unique, verify } = requested.options;
  const sizes = { blockSizeBytes: blockSize, ioSizeBytes: ioSize, fileBlockBytes: fileBlockSize };
  const layout = layOutMemory({ ...sizes, slots: maxDepth(requested, machine) }, unique || verify, 1);
  return Math.max(1, countFittingWorkers(layout, machine.memoryLimitBytes));
}

/** When a container exceeds its memory limit, the kernel kills the process without a message. */
export function rejectTooManyWorkers(
  workers: number,
  { threads, sharesData }: { readonly threads: number; readonly sharesData: boolean },
  layout: IoMemoryLayout,
  memoryLimitBytes: number,
): void {
  const workerLimit = countFittingWorkers(layout, memoryLimitBytes);
  if (workers <= workerLimit) return;
  const option = workers > threads ? 'seekThreads' : 'threads';
  const remedy = sharesData
    ? `use at most ${pluralize(workerLimit, 'thread')}`
    : msg`pass at most ${flagAtMost(option, workerLimit)}`;
  const depth = layout.slotsBytes > layout.blockBytes ? msg`${flag('depth')}, ` : '';
  throw new GobonnieError(
    'memory-too-small',
    `${formatBytes(memoryLimitBytes)} of memory (${formatBytes(maxIoBytes(memoryLimitBytes))} for transfers) ` +
      `is too little for ${pluralize(workers, 'thread')} with transfers of ${formatBytes(layout.blockBytes)}`,
    workerLimit > 0
      ? remedy
      : msg`pass a smaller ${depth}${flag('blockSize')}, ${flag('ioSize')} or ${flag('fileBlockSize')}, or raise the memory limit`,
  );
}
