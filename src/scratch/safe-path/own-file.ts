import { constants } from 'node:fs';
import { open, unlink } from 'node:fs/promises';
import { CREATE_NEW_FLAGS, NO_FOLLOW } from '../../../workers/protocol.js';
import { hasCode, type SystemError } from '../../system-error.js';
import { isOwnedByUs } from './trust.js';

/** Access for this user alone. */
const FILE_MODE = 0o600;
/** O_NONBLOCK, because the open would block if the file was replaced with a FIFO. */
const READ_FLAGS = constants.O_RDONLY | NO_FOLLOW | (constants.O_NONBLOCK ?? 0);

/** True if the file does not exist. A path that is too long cannot exist. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT', 'ENAMETOOLONG');
}

export function ignoreMissing(act: (error: SystemError) => void) {
  return (error: SystemError) => {
    if (!isMissing(error)) act(error);
  };
}

/** Returns null if the file is missing, too large or not this user's: others may have created an entry of that name. */
export async function readOwnFile(file: string, maxBytes = Number.POSITIVE_INFINITY): Promise<string | null> {
  const handle = await open(file, READ_FLAGS).catch((error: SystemError) => {
    if (isMissing(error) || hasCode(error, 'ELOOP', 'EACCES', 'ENXIO')) return null;
    throw error;
  });
  try {
    const stats = await handle?.stat();
    if (!handle || !stats?.isFile() || !isOwnedByUs(stats) || stats.size > maxBytes) return null;
    return await handle.readFile('utf8');
  } finally {
    await handle?.close();
  }
}

/**
 * Creates a file. If it has a text, it is complete even after a power failure. Fails if anything of that name exists,
 * even a link; after a later failure, it removes the file.
 */
export async function createOwnFile(file: string, text?: string): Promise<void> {
  const handle = await open(file, CREATE_NEW_FLAGS, FILE_MODE);
  try {
    try {
      if (text === undefined) return;
      await handle.writeFile(text);
      await handle.datasync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    await unlink(file).catch(() => {});
    // Errors of an open file do not name it.
    throw Object.assign(error as Error, { path: file });
  }
}
