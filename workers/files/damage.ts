import type { PhaseContext } from '../phases/phase.js';
import { DataError, readAll } from './read-write.js';
import type { SliceFile } from './slice-file.js';

/** Enough for a stamp. Direct I/O reads it from every device. */
const SAMPLE_BYTES = 4096;
/** The number of earlier files that are checked after each one. */
const SAMPLED_FILES = 64;

/**
 * Checks the first block of earlier files and the last block of the newest file. A disk that is smaller than it claims
 * overwrites its first data, or loses its last. Throws a DataError.
 */
export function checkWritten(files: readonly SliceFile[], context: PhaseContext): void {
  const step = Math.ceil(files.length / SAMPLED_FILES);
  for (let at = 0; at < files.length; at += step) checkSample(files[at] as SliceFile, 0, context);
  const newest = files.at(-1) as SliceFile;
  checkSample(newest, countBlocks(newest, context) - 1, context);
}

/**
 * Finds the first lost block, if everything after the found damage is also lost. Otherwise returns the error as it
 * is. `files` are those that have been written, in this order.
 */
export function locateLoss(error: unknown, files: readonly SliceFile[], context: PhaseContext): unknown {
  // With several operations in flight, the memory of the sample is in use.
  const { isRandom, transfer } = context;
  if (!hasNoStamp(error) || isRandom || transfer.depth > 1) return error;
  const isLost = (file: SliceFile, block: number) => {
    try {
      checkSample(file, block, context);
      return false;
    } catch (cause) {
      return hasNoStamp(cause);
    }
  };
  const isEndLost = (file: SliceFile) => isLost(file, countBlocks(file, context) - 1);
  if (!isEndLost(files.at(-1) as SliceFile)) return error;
  const file = files[findFirst(files.length, (at) => isEndLost(files[at] as SliceFile))] as SliceFile;
  const block = findFirst(countBlocks(file, context), (at) => isLost(file, at));
  return new DataError('CORRUPT', blockPosition(file, block, context), file.slice.file, 'rest-lost');
}

function hasNoStamp(error: unknown): boolean {
  return error instanceof DataError && error.damage === 'no-stamp';
}

/** Returns the first index for which the test is true, if it is true for all later ones and for the last. */
function findFirst(count: number, test: (index: number) => boolean): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function checkSample(file: SliceFile, block: number, context: PhaseContext): void {
  const memory = context.slotMemory(0, Math.min(SAMPLE_BYTES, context.blockBytes));
  const position = blockPosition(file, block, context);
  readAll(file.fd, memory, position);
  context.data.checkBlock(memory, position, file.slice, 0);
}

function blockPosition({ slice }: SliceFile, block: number, { transfer }: PhaseContext): number {
  return slice.offsetBytes + block * transfer.strideBytes;
}

function countBlocks({ slice }: SliceFile, { transfer }: PhaseContext): number {
  return Math.ceil(slice.lengthBytes / transfer.strideBytes);
}
