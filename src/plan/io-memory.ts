import type { Manner, Region, Transfer } from '../../workers/protocol.js';
import { GobonnieError } from '../errors.js';
import { GIB, MIB, showBytes } from '../text/units.js';

/** One random block for all, then a region of its own for each thread. */
export interface IoMemory {
  readonly totalBytes: number;
  readonly blockBytes: number;
  readonly regionBytes: number;
  /** The part of a region that holds a thread's own stamped data. */
  readonly poolBytes: number;
}

/** What is moved at once. */
type Sizes = Pick<Transfer, 'blockSizeBytes' | 'ioSizeBytes'> & Partial<Pick<Manner, 'fileBlockBytes'>>;

/** What WebAssembly.Memory can hold at most. */
const MAX_IO_MEMORY_BYTES = 4 * GIB;
/** And what it is made of; every region starts on such a page. */
export const IO_PAGE_BYTES = 65_536;
/** Stamped data repeats itself, but for the stamps, only after more than what filesystems compress in one go. */
const ROUND_BYTES = MIB;

export function layOut(
  { blockSizeBytes, ioSizeBytes, fileBlockBytes = 0 }: Sizes,
  stamped: boolean,
  threads: number,
  memoryLimitBytes: number,
): IoMemory {
  const transferBytes = Math.max(blockSizeBytes, ioSizeBytes);
  const blockBytes = inPages(Math.max(transferBytes, fileBlockBytes));
  const roundBytes = Math.ceil(Math.max(ROUND_BYTES, transferBytes) / blockSizeBytes) * blockSizeBytes;
  const poolBytes = stamped ? roundBytes + transferBytes : 0;
  const regionBytes = blockBytes + inPages(poolBytes);
  const totalBytes = blockBytes + regionBytes * threads;
  const mostBytes = Math.min(MAX_IO_MEMORY_BYTES, memoryLimitBytes / 2);
  if (totalBytes > mostBytes) {
    throw new GobonnieError(
      'memory-too-small',
      `--threads ${threads} with transfers of ${showBytes(blockBytes)} need ${showBytes(totalBytes)} of memory, ` +
        `and at most ${showBytes(mostBytes)} can be had`,
      'pass fewer --threads or a smaller --block-size, --io-size or --file-block-size',
    );
  }
  return { totalBytes, blockBytes, regionBytes, poolBytes };
}

export function regionOf({ blockBytes, regionBytes, poolBytes }: IoMemory, index: number): Region {
  const offsetBytes = blockBytes + regionBytes * index;
  return { offsetBytes, poolOffsetBytes: offsetBytes + blockBytes, poolBytes };
}

function inPages(bytes: number): number {
  return Math.ceil(bytes / IO_PAGE_BYTES) * IO_PAGE_BYTES;
}
