import type { Slice } from '../workers/protocol.js';
import { GobonnieError, shown } from './errors.js';
import type { Machine } from './machine.js';
import { MAX_THREADS } from './options/catalogue.js';
import type { Options } from './options/schema.js';
import type { Warning } from './report/report.js';
import { counted, GIB, showBytes } from './units.js';

/** What will be done, decided and printable; nothing has touched the disk. */
export interface Plan {
  readonly options: Options;
  readonly machine: Machine;
  readonly directory: string;
  readonly threads: number;
  readonly totalBytes: number;
  /** The files are named within the scratch directory that the run will make. */
  readonly slices: readonly Slice[];
  readonly phases: readonly string[];
  readonly ioMemory: IoMemory;
  readonly warnings: readonly Warning[];
}

/** One random block for all, then a region of its own for each thread. */
export interface IoMemory {
  readonly totalBytes: number;
  readonly regionBytes: number;
}

/** What WebAssembly.Memory can hold at most. */
const MAX_IO_MEMORY_BYTES = 4 * GIB;
/** And what it is made of; every region starts on such a page. */
export const IO_PAGE_BYTES = 65_536;
/** Of the free space so much stays free: 1 GiB, or 5 % of the filesystem where that is less. */
const KEEP_FREE_BYTES = GIB;
const KEEP_FREE_SHARE = 0.05;
const DEFAULT_SIZE_IN_MEMORIES = 2;
/** gobonniego's three, in its order; the catalogue may hold more. */
const DEFAULT_PHASES = ['write', 'read', 'iops'] as const;

export function plan(options: Options, machine: Machine): Plan {
  refuseUnusable(machine);
  const threads = options.threads ?? Math.min(machine.cores, MAX_THREADS);
  const { blockCount, warnings } = sizeUp(options, machine, threads);
  const slices = share(blockCount, threads, options.blockSize);
  refuseLargeIo(options, Math.min(...slices.map(({ lengthBytes }) => lengthBytes)));
  return {
    options,
    machine,
    directory: machine.target.directory,
    threads,
    totalBytes: blockCount * options.blockSize,
    slices,
    phases: DEFAULT_PHASES,
    ioMemory: layOut(options, threads, machine.memoryLimitBytes),
    warnings,
  };
}

function refuseUnusable({ target }: Machine): void {
  const named = `--dir ${shown(target.directory)}`;
  if (!target.isDirectory) {
    const what = target.exists
      ? 'is not a directory'
      : 'cannot be made: a part of its path is not a directory';
    throw new GobonnieError('directory-unusable', `${named} ${what}`, 'pass the path of a directory');
  }
  if (!target.writable) {
    const what = target.exists
      ? 'cannot be written to'
      : 'cannot be made: the directory above cannot be written to';
    throw new GobonnieError('directory-unusable', `${named} ${what}`, 'pass a --dir that you may write to');
  }
}

/** How many blocks in all. A size that the user gave is kept or refused; the default is cut to what fits. */
function sizeUp(options: Options, { memoryLimitBytes, target }: Machine, threads: number) {
  const { blockSize } = options;
  const roomBytes =
    target.availableBytes - Math.min(KEEP_FREE_BYTES, Math.floor(target.totalBytes * KEEP_FREE_SHARE));
  const roomBlocks = Math.max(0, Math.floor(roomBytes / blockSize));
  const wantedBytes =
    options.size === undefined ? DEFAULT_SIZE_IN_MEMORIES * memoryLimitBytes : options.size * GIB;
  const wantedBlocks = Math.floor(wantedBytes / blockSize);
  const fits = wantedBlocks <= roomBlocks;
  const least = `one block of ${showBytes(blockSize)} for each of ${counted(threads, 'thread')}`;

  if (roomBlocks < threads) {
    throw new GobonnieError(
      'size-too-large',
      `${shown(target.directory)} has ${showBytes(target.availableBytes)} free, which is not enough for ${least}`,
      'free some space, or pass another --dir',
    );
  }
  if (wantedBlocks < threads) {
    throw new GobonnieError(
      'size-too-small',
      `${options.size === undefined ? `twice the memory (${showBytes(wantedBytes)})` : `--size ${options.size}`} is less than ${least}`,
      `pass for example --size ${sizeFlag(threads, options, threads, roomBlocks)}, or fewer --threads`,
    );
  }
  if (!fits && options.size !== undefined) {
    throw new GobonnieError(
      'size-too-large',
      `--size ${options.size} needs ${showBytes(wantedBytes)} in ${shown(target.directory)}, which has ` +
        `${showBytes(target.availableBytes)} free`,
      `pass at most --size ${sizeFlag(roomBlocks, options, threads, roomBlocks)} or another --dir`,
    );
  }
  const blockCount = Math.min(wantedBlocks, roomBlocks);
  return {
    blockCount,
    warnings: fits ? [] : [cutWarning(wantedBytes, blockCount * blockSize, target.directory)],
  };
}

function cutWarning(wantedBytes: number, planBytes: number, directory: string): Warning {
  return {
    code: 'size-cut',
    message:
      `twice the memory (${showBytes(wantedBytes)}) does not fit in ${shown(directory)}: ` +
      `measuring with ${showBytes(planBytes)}, so memory may serve a part of the reads`,
    hint: 'free some space, or pass another --dir, to measure with twice the memory',
  };
}

/** About so many blocks in GiB as one would type them: with as few decimals as a number has that will be accepted. */
function sizeFlag(blocks: number, { blockSize }: Options, leastBlocks: number, mostBlocks: number): number {
  const gib = (blocks * blockSize) / GIB;
  for (let scale = 100; scale < 1e12; scale *= 10) {
    for (const candidate of [Math.floor(gib * scale) / scale, Math.ceil(gib * scale) / scale]) {
      const got = Math.floor((candidate * GIB) / blockSize);
      if (got >= leastBlocks && got <= mostBlocks) return candidate;
    }
  }
  return gib;
}

/** Whole blocks, spread evenly: no slice is more than a block longer than another. */
function share(blockCount: number, threads: number, blockSize: number): readonly Slice[] {
  return Array.from({ length: threads }, (_, index) => ({
    file: `bonnie.${index}`,
    offsetBytes: 0,
    lengthBytes: (Math.floor(blockCount / threads) + (index < blockCount % threads ? 1 : 0)) * blockSize,
  }));
}

function refuseLargeIo({ ioSize }: Options, sliceBytes: number): void {
  if (ioSize <= sliceBytes) return;
  throw new GobonnieError(
    'option-invalid',
    `--io-size ${ioSize} is larger than a thread's share of the data, ${showBytes(sliceBytes)}`,
    'pass a smaller --io-size, a larger --size or fewer --threads',
  );
}

function layOut({ blockSize, ioSize }: Options, threads: number, memoryLimitBytes: number): IoMemory {
  const regionBytes = Math.ceil(Math.max(blockSize, ioSize) / IO_PAGE_BYTES) * IO_PAGE_BYTES;
  const totalBytes = regionBytes * (1 + threads);
  const mostBytes = Math.min(MAX_IO_MEMORY_BYTES, memoryLimitBytes / 2);
  if (totalBytes > mostBytes) {
    throw new GobonnieError(
      'memory-too-small',
      `--threads ${threads} with transfers of ${showBytes(regionBytes)} need ${showBytes(totalBytes)} of memory, ` +
        `and at most ${showBytes(mostBytes)} can be had`,
      'pass fewer --threads or a smaller --block-size or --io-size',
    );
  }
  return { totalBytes, regionBytes };
}
