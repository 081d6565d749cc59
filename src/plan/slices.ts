import type { Phase } from '../../workers/phases/phase.js';
import type { Assignment, Slice, Transfer } from '../../workers/protocol.js';
import { optionError } from '../errors.js';
import { flag, msg } from '../text/message-template.js';
import { GIB, MIB } from '../text/units.js';
import { countSharedFiles, type RequestedSteps } from './requested-steps.js';

export function dataFileName(index: number): string {
  return `bonnie.${index}`;
}

/** A filled disk is synced and checked after each file: often, but without a delay. */
const FILL_FILES = { min: 100, max: 1000, minBytes: 8 * MIB, bytes: GIB };

/** Returns the number of files that fill a disk: of 1 GiB, smaller on a small disk and larger on a large one. */
function countFillFiles(blockCount: number, blockBytes: number): number {
  const { min, max, minBytes, bytes } = FILL_FILES;
  const totalBytes = blockCount * blockBytes;
  const wanted = Math.min(Math.max(min, Math.ceil(totalBytes / bytes)), Math.ceil(totalBytes / minBytes));
  return Math.min(blockCount, wanted, max);
}

/**
 * Distributes whole blocks evenly: slices differ by at most one block. The data files of a thread are consecutive, and
 * so are the slices of a rank in a file that all ranks share.
 */
export function layOutSlices(
  blockCount: number,
  threads: number,
  requested: RequestedSteps,
  rank: number,
): readonly Slice[] {
  const { options, sharesData, fills } = requested;
  const { blockSize, sharedFile, dataFiles } = options;
  const sharing = sharesData ? 'steps' : (['sharedFile', 'oneFile'] as const).find((name) => options[name]);
  const sharedFiles = fills ? countFillFiles(blockCount, options.blockSize) : countSharedFiles(requested);
  const isOneFile = sharing !== undefined && !fills && sharedFiles === 1;
  if (sharing !== undefined && dataFiles > 1)
    throw optionError(
      msg`${flag(sharing)} and ${flag('dataFiles', dataFiles)} cannot be combined`,
      'leave one out',
    );
  let offsetBytes = sharedFile ? rank * blockCount * blockSize : 0;
  const count = sharesData ? sharedFiles : threads * dataFiles;
  return Array.from({ length: count }, (_, index) => {
    const blocks = Math.floor(blockCount / count) + (index < blockCount % count ? 1 : 0);
    const slice = {
      fileIndex: isOneFile ? 0 : rank * count + index,
      file: dataFileName(isOneFile ? 0 : index),
      offsetBytes,
      lengthBytes: blocks * blockSize,
    };
    if (isOneFile) offsetBytes += slice.lengthBytes;
    return slice;
  });
}

/** Returns each thread's part of the data, which may be in several files. */
export function shareSlices(
  phase: Phase,
  transfer: Transfer,
  slices: readonly Slice[],
  threads: number,
  maxBytes: number,
): readonly Assignment[] {
  let remainingBytes = maxBytes;
  const parts = slices.map((slice) => {
    const shared = shareSlice(phase, transfer, slice, threads, Math.max(0, remainingBytes));
    remainingBytes -= slice.lengthBytes;
    return shared;
  });
  return Array.from({ length: threads }, (_, thread) => ({
    slices: parts.flatMap((shared) => shared[thread]?.slices ?? []),
    tree: null,
  }));
}

/**
 * Returns each thread's part of a file. In a random step every thread uses all of it. In a sequential step the threads
 * take turns at the blocks: together they form one stream.
 */
function shareSlice(
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

/** Returns the parts of files that workers have written, one file after the other, by taking turns at the blocks. */
export function writtenSlices(
  slices: readonly Slice[],
  blockBytes: number,
  amounts: readonly number[],
): readonly Slice[] {
  let remaining = amounts;
  const written = slices.map((slice) => {
    const part = writtenPart(slice, blockBytes, remaining);
    const ownBytes = (thread: number) =>
      Math.ceil((slice.lengthBytes / blockBytes - thread) / amounts.length) * blockBytes;
    remaining = remaining.map((bytes, thread) => Math.max(0, bytes - ownBytes(thread)));
    return part;
  });
  return written.filter(({ lengthBytes }) => lengthBytes > 0);
}

/** Returns the contiguous part that workers have written by taking turns, if they had to stop early. */
function writtenPart(slice: Slice, blockBytes: number, writtenBytes: readonly number[]): Slice {
  const threads = writtenBytes.length;
  const blocks = writtenBytes.map((bytes, index) => (bytes / blockBytes) * threads + index);
  return { ...slice, lengthBytes: Math.min(slice.lengthBytes, Math.min(...blocks) * blockBytes) };
}
