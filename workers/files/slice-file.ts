import { closeSync, constants, fdatasyncSync, fsyncSync, openSync } from 'node:fs';
import type { PhaseContext, PreparedPhase } from '../phases/phase.js';
import {
  DIRECT_FLAG,
  isStopped,
  mayContinue,
  NO_FOLLOW,
  OPERATIONS,
  POSITION,
  SLICE_INDEX,
  type Slice,
  SYNCING,
  type SyncMethod,
  type Transfer,
} from '../protocol.js';
import { writeAll } from './read-write.js';

/** The flags of `open` that make every write wait for the device. */
const SYNC_FLAGS: Partial<Record<SyncMethod, number>> = {
  o_dsync: constants.O_DSYNC,
  o_sync: constants.O_SYNC,
};

export interface SliceFile {
  readonly fd: number;
  readonly slice: Slice;
}

/** Prepares a phase whose loop processes one slice after the other. */
export function prepareSequential(
  context: PhaseContext,
  openFlags: number,
  loop: (file: SliceFile, context: PhaseContext) => void,
): PreparedPhase {
  return prepareFiles(context, openFlags, (files) => {
    for (const [index, file] of files.entries()) {
      context.progress[SLICE_INDEX] = index;
      loop(file, context);
    }
  });
}

/** Calls `move` for each block of a slice, then counts its operations, and its bytes in these words of the progress. */
export function forEachBlock(
  { slice }: SliceFile,
  { transfer, flags, progress }: PhaseContext,
  byteWords: readonly number[],
  move: (position: number, block: number) => void,
  operationsPerBlock = 1,
): void {
  const { blockSizeBytes, strideBytes } = transfer;
  const end = slice.offsetBytes + slice.lengthBytes;
  let blocks = (progress[OPERATIONS] ?? 0) / operationsPerBlock;
  let position = slice.offsetBytes;
  while (position < end && mayContinue(flags, blocks)) {
    progress[POSITION] = position;
    move(position, blocks);
    position += strideBytes;
    blocks++;
    progress[OPERATIONS] = blocks * operationsPerBlock;
    for (const word of byteWords) progress[word] = blocks * blockSizeBytes;
  }
}

/** Prepares a phase whose loop works on all slices. */
export function prepareFiles(
  context: PhaseContext,
  openFlags: number,
  loop: (files: readonly SliceFile[], context: PhaseContext) => void,
): PreparedPhase {
  const files = openSlices(context, openFlags);
  return {
    run: () => loop(files, context),
    close() {
      for (const { fd, slice } of files) closeWithPath(fd, slice.file);
    },
    currentFile: () => files[context.progress[SLICE_INDEX] ?? 0]?.slice.file ?? '',
  };
}

/** A single file draws no random number, so each seed keeps its offsets. */
export function pickFile(files: readonly SliceFile[], { random, progress }: PhaseContext): SliceFile {
  const index = files.length === 1 ? 0 : random.below(files.length);
  progress[SLICE_INDEX] = index;
  return files[index] as SliceFile;
}

/** If a file cannot be opened or closed, the phase fails, and Node closes the other files when the worker is terminated. */
function openSlices({ slices, transfer }: PhaseContext, openFlags: number): readonly SliceFile[] {
  const { direct, syncPerWrite } = transfer;
  // The plan rejects direct I/O on systems without this flag.
  const directFlag = direct ? (DIRECT_FLAG ?? 0) : 0;
  const syncFlag = (syncPerWrite && SYNC_FLAGS[syncPerWrite]) ?? 0;
  const flags = openFlags | NO_FOLLOW | directFlag | syncFlag;
  return slices.map((slice) => ({ fd: openSync(slice.file, flags), slice }));
}

/** Closes a file. Adds the path to an error, because Node's error does not name the file. */
export function closeWithPath(fd: number, path: string): void {
  try {
    closeSync(fd);
  } catch (error) {
    throw Object.assign(error as NodeJS.ErrnoException, { path });
  }
}

/** Writes, then makes the sync that every write needs, unless a flag of `open` makes the write wait. */
export function writeBlock(
  fd: number,
  block: Uint8Array,
  position: number,
  { syncPerWrite }: Transfer,
): void {
  writeAll(fd, block, position);
  if (syncPerWrite === 'fsync') fsyncSync(fd);
  else if (syncPerWrite === 'fdatasync') fdatasyncSync(fd);
}

/** Makes the final sync, as part of the measured time. */
export function syncAtEnd(fd: number, { transfer, flags, progress }: PhaseContext): void {
  if (!transfer.fsync || isStopped(flags)) return;
  progress[SYNCING] = 1;
  fsyncSync(fd);
  progress[SYNCING] = 0;
}
