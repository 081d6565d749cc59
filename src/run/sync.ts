import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { NO_FOLLOW } from '../../workers/protocol.js';
import { GobonnieError } from '../errors.js';
import type { FileLocation } from '../scratch/file-location.js';
import { systemHint, systemReason } from '../system-error.js';
import { display } from '../text/escape.js';
import type { StallDetector } from './kernel/stall-detector.js';

/**
 * Syncs the files to the device. Never retries a failed sync: the kernel reports the second attempt as a success.
 * Aborting the signal skips the remaining files.
 */
export async function syncFiles(
  { files, displayPath }: FileLocation,
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
