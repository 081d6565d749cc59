import type { BigIntStats } from 'node:fs';
import { lstat, mkdir, readdir, realpath, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { isFileBusy } from '../../workers/files/read-write.js';
import { GobonnieError } from '../errors.js';
import { errorWithReason, hasCode } from '../system-error.js';
import { display } from '../text/escape.js';
import { retryWhileBusy } from './own-file.js';
import { isOwnedByUs } from './trust.js';

/** Errors for a directory that is no longer at its path. File servers report the last one. */
const GONE_CODES = ['ENOENT', 'ENOTDIR', 'ESTALE'];
/** Names that FUSE and NFS give to a file that was removed while a process had it open. */
const OPEN_REMOVED_NAME = /^\.(fuse_hidden|nfs)/;

/** A directory of this user. Its device and inode number tell whether another directory has taken its place. */
export interface OwnDirectory extends Pick<BigIntStats, 'dev' | 'ino'> {
  readonly path: string;
}

/** Resolves links now, because they may lead elsewhere later. Keeps the drives and servers in a path on Windows. */
export async function resolveDirectory(directory: string): Promise<string> {
  return process.platform === 'win32' ? directory : realpath(directory);
}

/** Creates a directory. Fails if anything of that name exists, even a link. */
export async function createOwnDirectory(directory: string, mode: number): Promise<OwnDirectory> {
  await mkdir(directory, mode);
  try {
    const stats = await lstat(directory, { bigint: true });
    if (!isOwnedByUs(stats)) throw foreignOwnerError(path.dirname(directory), Number(stats.uid));
    const { dev, ino } = stats;
    // Whoever can rename it may have put a link or another directory of this user in its place.
    if (!stats.isDirectory() || (await readdir(directory)).length > 0) throw replacedError();
    return { path: directory, dev, ino };
  } catch (error) {
    await rmdir(directory).catch(() => {});
    throw error;
  }
}

/** Finds a directory of this user. Rejects links, and directories of other users. */
export async function findOwnDirectory(directory: string): Promise<OwnDirectory> {
  const stats = await lstat(directory, { bigint: true });
  if (!stats.isDirectory() || !isOwnedByUs(stats)) throw replacedError();
  return { path: directory, dev: stats.dev, ino: stats.ino };
}

/** True if it is no longer at its path: it was moved, replaced, removed or unmounted. */
export async function isMoved({ path: directory, dev, ino }: OwnDirectory): Promise<boolean> {
  try {
    const current = await lstat(directory, { bigint: true });
    return current.dev !== dev || current.ino !== ino;
  } catch (error) {
    if (hasCode(error, ...GONE_CODES)) return true;
    throw error;
  }
}

/** Throws if the directory was moved or replaced: its path would lead to the files of others. */
export async function rejectMovedDirectory(directory: OwnDirectory): Promise<void> {
  const hasMoved = await isMoved(directory).catch((cause: unknown) => {
    throw errorWithReason('scratch-failed', `cannot find ${display(directory.path)}`, cause);
  });
  if (!hasMoved) return;
  throw new GobonnieError(
    'scratch-failed',
    `${display(directory.path)} was moved, replaced or unmounted during the run`,
    'start again, and leave that directory in place until the run ends',
  );
}

/** Removes a directory if it is empty. Retries while it holds only removed files that a process has open. */
export async function removeDirectory(directory: string): Promise<void> {
  await retryWhileBusy(
    () => rmdir(directory),
    async (error) =>
      isFileBusy(error) || (hasCode(error, 'ENOTEMPTY') && (await hasOnlyRemovedFiles(directory))),
  );
}

/** True also for an empty directory: the last of these files may just have been closed. */
async function hasOnlyRemovedFiles(directory: string): Promise<boolean> {
  const names = await readdir(directory).catch(() => null);
  return names?.every((name) => OPEN_REMOVED_NAME.test(name)) ?? false;
}

function replacedError(): Error {
  return new Error('another file or directory has replaced it');
}

function foreignOwnerError(directory: string, uid: number): GobonnieError {
  return new GobonnieError(
    'directory-unusable',
    `directories created in ${display(directory)} belong to another user (uid ${uid}) because of its mount options`,
    'run gobonnie as a user who owns new files there, or measure another directory',
  );
}
