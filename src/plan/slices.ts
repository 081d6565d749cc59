import type { Phase } from '../../workers/phases/phase.js';
import type { Assignment, Slice, Transfer } from '../../workers/protocol.js';
import { optionError } from '../errors.js';
import { flag, msg } from '../text/message-template.js';
import { GIB, MIB } from '../text/units.js';
import { countSharedFiles, type RequestedSteps, type StepFacts } from './requested-steps.js';

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
  const { blockSize, oneFile, sharedFile, dataFiles } = options;
  const sharing = sharesData ? 'steps' : (['sharedFile', 'oneFile'] as const).find((name) => options[name]);
  if (sharing !== undefined && dataFiles > 1)
    throw optionError(
      msg`${flag(sharing)} and ${flag('dataFiles', dataFiles)} cannot be combined`,
      'leave one out',
    );
  const sharedFiles = fills ? countFillFiles(blockCount, blockSize) : countSharedFiles(requested);
  const count = sharesData ? sharedFiles : threads * dataFiles;
  const isOneFile = oneFile || sharedFile;
  const firstFile = sharedFile ? 0 : rank * (isOneFile ? 1 : count);
  let offsetBytes = sharedFile ? rank * blockCount * blockSize : 0;
  return Array.from({ length: count }, (_, index) => {
    const blocks = Math.floor(blockCount / count) + (index < blockCount % count ? 1 : 0);
    const own = isOneFile ? 0 : index;
    const slice = {
      fileIndex: firstFile + own,
      file: dataFileName(own),
      offsetBytes,
      lengthBytes: blocks * blockSize,
    };
    if (isOneFile) offsetBytes += slice.lengthBytes;
    return slice;
  });
}

/** Returns the files of the shared data that a step uses. */
export function stepSlices({ dataFiles }: Pick<StepFacts, 'dataFiles'>, slices: readonly Slice[]) {
  return typeof dataFiles === 'number' ? slices.slice(dataFiles, dataFiles + 1) : slices;
}

/**
 * Returns each thread's part of the data, which may be in several files. In a random step every thread uses all of it. In a
 * sequential step the threads take turns at the blocks of a file: together they form one stream.
 */
export function shareSlices(
  phase: Phase,
  { blockSizeBytes }: Transfer,
  slices: readonly Slice[],
  threads: number,
  maxBytes: number,
): readonly Assignment[] {
  if (phase.order === 'random') return Array.from({ length: threads }, () => ({ slices, tree: null }));
  const parts = limitSlices(slices, maxBytes).map((slice) => ({
    ...slice,
    lengthBytes: slice.lengthBytes - (slice.lengthBytes % blockSizeBytes),
  }));
  return Array.from({ length: threads }, (_, thread) => {
    const skippedBytes = thread * blockSizeBytes;
    const own = parts.map((part) => ({
      ...part,
      offsetBytes: part.offsetBytes + skippedBytes,
      lengthBytes: part.lengthBytes - skippedBytes,
    }));
    return { slices: own.filter(({ lengthBytes }) => lengthBytes > 0), tree: null };
  });
}

/** Limits slices to their first bytes in all, as if they were filled one after another. */
export function limitSlices(slices: readonly Slice[], maxBytes: number): readonly Slice[] {
  let remainingBytes = maxBytes;
  return slices.map((slice) => {
    const lengthBytes = Math.min(slice.lengthBytes, remainingBytes);
    remainingBytes -= lengthBytes;
    return { ...slice, lengthBytes };
  });
}

/** Returns the contiguous part of each file that workers have written, if they had to stop early. */
export function writtenSlices(
  slices: readonly Slice[],
  blockBytes: number,
  amounts: readonly number[],
): readonly Slice[] {
  const threads = amounts.length;
  let remaining = amounts;
  const written = slices.map((slice) => {
    const blocks = remaining.map((bytes, thread) => (bytes / blockBytes) * threads + thread);
    const ownBytes = (thread: number) =>
      Math.ceil((slice.lengthBytes / blockBytes - thread) / threads) * blockBytes;
    remaining = remaining.map((bytes, thread) => Math.max(0, bytes - ownBytes(thread)));
    return { ...slice, lengthBytes: Math.min(slice.lengthBytes, Math.min(...blocks) * blockBytes) };
  });
  return written.filter(({ lengthBytes }) => lengthBytes > 0);
}
