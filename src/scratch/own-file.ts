import { constants } from 'node:fs';
import { type FileHandle, open, rename, unlink } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { isFileBusy, RETRY_FOR_MS, RETRY_INTERVAL_MS } from '../../workers/files/read-write.js';
import { CREATE_NEW_FLAGS, NO_FOLLOW } from '../../workers/protocol.js';
import { hasCode, type SystemError } from '../system-error.js';
import { isOwnedByUs } from './trust.js';

/** Access for this user alone. */
const FILE_MODE = 0o600;
/** O_NONBLOCK, because the open would block if the file was replaced with a FIFO. */
const READ_FLAGS = constants.O_RDONLY | NO_FOLLOW | (constants.O_NONBLOCK ?? 0);

/** Returns null if the file is missing or not this user's: others may have created an entry of that name. */
export async function readOwnFile(file: string): Promise<string | null> {
  await using handle = await open(file, READ_FLAGS).catch((error: SystemError) => {
    if (hasCode(error, 'ENOENT', 'ENAMETOOLONG', 'ELOOP', 'EACCES', 'ENXIO')) return null;
    throw error;
  });
  const stats = await handle?.stat();
  if (!handle || !stats?.isFile() || !isOwnedByUs(stats)) return null;
  return await handle.readFile('utf8');
}

/**
 * Creates a file, runs `fill` with it and returns it open for appending. Fails if anything of that name exists, even a
 * link. Removes the file if `fill` fails.
 */
export async function createFile(
  file: string,
  mode: number,
  fill: (handle: FileHandle) => Promise<void>,
): Promise<FileHandle> {
  const handle = await open(file, CREATE_NEW_FLAGS | constants.O_APPEND, mode);
  try {
    await fill(handle);
    return handle;
  } catch (error) {
    await handle.close().catch(() => {});
    await unlink(file).catch(() => {});
    // Errors of an open file do not name it.
    throw Object.assign(error as Error, { path: file });
  }
}

/** Creates a file, which with a text is complete even after a power failure. Fails if anything of that name exists. */
export async function createOwnFile(file: string, text?: string): Promise<void> {
  await createFile(file, FILE_MODE, async (handle) => {
    if (text !== undefined) {
      await handle.writeFile(text);
      await handle.datasync();
    }
    await handle.close();
  });
}

/** Retries for a while after errors that `isTransient` expects to go away. */
export async function retryWhileBusy(
  act: () => Promise<void>,
  isTransient: (error: unknown) => boolean | Promise<boolean> = isFileBusy,
): Promise<void> {
  const end = performance.now() + RETRY_FOR_MS;
  while (true) {
    try {
      return await act();
    } catch (error) {
      if (performance.now() > end || !(await isTransient(error))) throw error;
    }
    await setTimeout(RETRY_INTERVAL_MS);
  }
}

export function removeFile(file: string): Promise<void> {
  return retryWhileBusy(() => unlink(file));
}

export function renameFile(from: string, to: string): Promise<void> {
  return retryWhileBusy(() => rename(from, to));
}
