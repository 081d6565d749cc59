import { type BigIntStats, constants, type Stats } from 'node:fs';
import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rmdir,
  unlink,
} from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isFileBusy, RETRY_FOR_MS, RETRY_INTERVAL_MS } from '../../workers/files/read-write.js';
import { CREATE_NEW_FLAGS, NO_FOLLOW } from '../../workers/protocol.js';
import { GobonnieError } from '../errors.js';
import { errorWithReason, hasCode, type SystemError } from '../system-error.js';
import { display } from '../text/escape.js';

const ROOT = 0;
const WRITABLE_BY_GROUP = 0o020;
const WRITABLE_BY_ALL = 0o002;
/** In a directory with this bit, like /tmp, users cannot rename or remove each other's files. */
const STICKY = 0o1000;
/** The owner that macOS shows to root for all files of a volume whose owners it ignores. */
const MACOS_UNKNOWN_OWNER = 99;

/** True if it belongs to this user. Always true on Windows, which has no user IDs. */
export function isOwnedByUs({ uid }: { readonly uid: number | bigint }): boolean {
  const user = process.geteuid?.();
  if (user === undefined || Number(uid) === user) return true;
  return process.platform === 'darwin' && user === ROOT && Number(uid) === MACOS_UNKNOWN_OWNER;
}

export function isOwnedByUsOrRoot({ uid }: Pick<Stats, 'uid'>): boolean {
  return uid === ROOT || uid === process.geteuid?.();
}

/**
 * True if its mode lets other users change a file, or rename the entries of a directory. A group may have other members,
 * unless it is one of `ownGroups`. Always false on Windows, whose modes are invented.
 */
export function canOthersWrite({ mode, gid }: Stats, ownGroups: readonly number[]): boolean {
  if (process.geteuid === undefined) return false;
  // On a file, the sticky bit means nothing.
  const isDirectory = (mode & constants.S_IFMT) === constants.S_IFDIR;
  if (isDirectory && (mode & STICKY) !== 0) return false;
  return (mode & WRITABLE_BY_ALL) !== 0 || ((mode & WRITABLE_BY_GROUP) !== 0 && !ownGroups.includes(gid));
}

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
