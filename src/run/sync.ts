import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { NO_FOLLOW } from '../../workers/protocol.js';
import { GobonnieError, shown, systemHint, systemReason } from '../errors.js';

/**
 * Puts the files on the device. One that fails is never tried again: the kernel would call the second attempt a
 * success. Aborting the signal leaves out the rest.
 */
export async function syncFiles(files: readonly string[], signal: AbortSignal): Promise<void> {
  for (const file of files) {
    if (signal.aborted) return;
    await sync(file);
  }
}

async function sync(file: string): Promise<void> {
  try {
    const handle = await open(file, constants.O_RDWR | NO_FOLLOW);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (cause) {
    const error = cause as NodeJS.ErrnoException;
    throw new GobonnieError(
      'sync-failed',
      `${shown(file)} could not be synced to the device: ${systemReason(error)}`,
      systemHint(error),
      { cause },
    );
  }
}
