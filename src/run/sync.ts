import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { NO_FOLLOW } from '../../workers/protocol.js';
import { GobonnieError } from '../errors.js';
import { isPermissionError } from '../permission-model.js';
import type { FileLocation } from '../scratch/peer-scratch.js';
import { systemHint, systemReason } from '../system-error.js';
import { display } from '../text/escape.js';
import type { StallDetector } from './kernel/stall-detector.js';
import { WORKER_FILE } from './worker-pool/thread.js';

export type SyncedFiles = Pick<FileLocation, 'files' | 'displayPath'>;

/**
 * Syncs the files to the device. Never retries a failed sync: the kernel reports the second attempt as a success.
 * Aborting the signal skips the remaining files.
 */
export async function syncFiles(
  { files, displayPath }: SyncedFiles,
  stallDetector: StallDetector,
  signal: AbortSignal,
): Promise<void> {
  for (const file of files) {
    if (signal.aborted) return;
    const name = display(displayPath(file));
    await stallDetector.watch(`the sync of ${name}`, sync(file, name));
  }
}

async function sync(file: string, name: string): Promise<void> {
  try {
    const handle = await open(file, constants.O_RDWR | NO_FOLLOW);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (cause) {
    throw new GobonnieError(
      'sync-failed',
      `${name} could not be synced to the device: ${systemReason(cause)}`,
      systemHint(cause),
      { cause },
    );
  }
}

/**
 * Throws if this process may not sync. Node's permission model forbids `fs.fsync` in all versions and `FileHandle.sync`
 * in Node 26, and no flag allows them.
 */
export async function rejectWithoutSync(): Promise<void> {
  if (!process.permission) return;
  try {
    // Any file will do; the worker's file certainly exists.
    const handle = await open(WORKER_FILE, constants.O_RDONLY);
    await handle.datasync().finally(() => handle.close());
  } catch (error) {
    // A run reports any other error when it syncs its own files.
    if (!isPermissionError(error) || error.permission) return;
    throw new GobonnieError(
      'sync-failed',
      `cannot sync to the device: ${systemReason(error)}`,
      systemHint(error),
      { cause: error },
    );
  }
}
