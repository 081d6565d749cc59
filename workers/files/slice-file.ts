import { closeSync, constants, fsyncSync, openSync } from 'node:fs';
import type { PhaseContext, PreparedPhase } from '../phases/phase.js';
import {
  DIRECT_FLAG,
  isStopped,
  NO_FOLLOW,
  SLICE_INDEX,
  type Slice,
  SYNCING,
  type SyncMethod,
} from '../protocol.js';

/** The flags of `open` that make every write wait for the device. */
const SYNC_FLAGS: Partial<Record<SyncMethod, number>> = {
  o_dsync: constants.O_DSYNC,
  o_sync: constants.O_SYNC,
};

export interface SliceFile {
  readonly fd: number;
  readonly slice: Slice;
  /** The index of the slice. */
  readonly index: number;
}

/**
 * Prepares a phase whose loop works on all slices. If a file cannot be opened or closed, the phase fails, and Node closes
 * the other files when the worker is terminated.
 */
export function prepareFiles(
  context: PhaseContext,
  openFlags: number,
  loop: (files: readonly SliceFile[]) => void,
): PreparedPhase {
  const { slices, transfer, progress } = context;
  // The plan rejects direct I/O on systems without this flag.
  const directFlag = transfer.direct ? (DIRECT_FLAG ?? 0) : 0;
  const syncFlag = (transfer.syncPerWrite && SYNC_FLAGS[transfer.syncPerWrite]) ?? 0;
  const flags = openFlags | NO_FOLLOW | directFlag | syncFlag;
  const files = slices.map((slice, index) => ({ fd: openSync(slice.file, flags), slice, index }));
  return {
    run: () => loop(files),
    close() {
      for (const { fd, slice } of files) closeWithPath(fd, slice.file);
    },
    currentFile: () => files[progress[SLICE_INDEX] ?? 0]?.slice.file ?? '',
  };
}

/** Closes a file. Adds the path to an error, because Node's error does not name the file. */
export function closeWithPath(fd: number, path: string): void {
  try {
    closeSync(fd);
  } catch (error) {
    throw Object.assign(error as NodeJS.ErrnoException, { path });
  }
}

/** Returns the call to make after every write. Empty if there is none, or if a flag of `open` does it. */
export function syncCalls({ transfer }: PhaseContext): readonly ('fsync' | 'fdatasync')[] {
  const { syncPerWrite } = transfer;
  return syncPerWrite === 'fsync' || syncPerWrite === 'fdatasync' ? [syncPerWrite] : [];
}

/** Makes the final sync, as part of the measured time. */
export function syncAtEnd(fd: number, { transfer, flags, progress }: PhaseContext): void {
  if (!transfer.fsync || isStopped(flags)) return;
  progress[SYNCING] = 1;
  fsyncSync(fd);
  progress[SYNCING] = 0;
}
