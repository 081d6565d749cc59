import type { Dirent } from 'node:fs';
import { chmod, lstat, readdir, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { TREE_DIRECTORY_NAME, TREE_FILE_NAME } from '../../workers/files/file-tree.js';
import { readMountInfo } from '../machine/mount.js';
import { TOOL_DIRECTORY_NAME } from '../plan/files.js';
import { findSystemError, hasCode, nullIfMissing, type SystemError } from '../system-error.js';
import { COMMAND_DIRECTORY, listDataFiles } from './file-location.js';
import { type Marker, removeMarker, writeMarker } from './marker.js';
import { endProcesses } from './processes.js';
import type { DirectoryHandle } from './safe-path/directory-handle.js';
import { removeFile, retryWhileBusy } from './safe-path/own-file.js';

/** The names of trees of small files. */
export const TREE_NAMES = { tree: /^tree\.\d+$/, 'random-tree': /^tree\.\d+-random$/ };
/** Number of files to process at once. One by one, the removal of a million files would take minutes. */
const BATCH = 64;
/** What the owner needs in order to list and empty a directory. */
const OWNER_ACCESS = 0o700;
/** Codes that end the removal of parents without an error: another entry is in the parent, or it is gone. */
const IGNORED_CODES = ['ENOTEMPTY', 'EEXIST', 'ENOENT'];

/** The progress of a removal, which continues after a failure, because the other files free their space. */
export interface RemovalLog {
  /** Number of files removed, or already gone. */
  removedFiles: number;
  readonly failures: SystemError[];
}

/** Removes the files, the directory and the parents that were created for it. Throws the first failure at the end. */
export async function removeScratch(
  directory: DirectoryHandle,
  marker: Marker,
  log: RemovalLog = { removedFiles: 0, failures: [] },
  registerMarker: (exists: boolean) => void = () => {},
): Promise<void> {
  // Another directory may be in its place, with files of the same names or copies on another disk.
  if (await directory.isGone()) throw findSystemError('ENOENT');
  await removeDataFiles(listDataFiles(directory, marker.files), log);
  for (const name of Object.values(TREE_NAMES)) await removeTrees(directory, name, log);
  const names = await readdir(directory.root);
  if (names.includes(COMMAND_DIRECTORY)) await endProcesses(directory.resolved);
  for (const name of names.filter((one) => one === COMMAND_DIRECTORY || TOOL_DIRECTORY_NAME.test(one)))
    await removePrivateTree(directory, name, log);
  // The remaining files need the marker, which names their owner.
  throwFirstFailure(log);
  // Remove the marker last, once the parent is open. Write it again if the directory cannot be removed.
  await using parent = await directory.parent();
  registerMarker(false);
  const existed = await removeMarker(directory.root);
  try {
    // Fails with ENOENT if it was moved or unmounted with everything in it.
    await directory.removeDirectory();
  } catch (error) {
    const restore = () => writeMarker(directory.root, marker).then(() => registerMarker(true));
    if (existed) await restore().catch(() => {});
    throw error;
  }
  await removeCreatedParents(parent, marker.createdParents);
}

export async function removeDataFiles(files: readonly string[], log: RemovalLog): Promise<void> {
  for (const file of files) {
    await removeFile(file).catch((error: SystemError) => {
      // A path that is too long cannot exist.
      if (!hasCode(error, 'ENOENT', 'ENAMETOOLONG')) log.failures.push(error);
    });
    log.removedFiles += 1;
  }
}

export function throwFirstFailure({ failures }: RemovalLog): void {
  const [failure] = failures.splice(0);
  if (failure) throw failure;
}

/** Removes all trees of small files whose name matches. Keeps entries that gobonnie did not name. */
export async function removeTrees(scratch: DirectoryHandle, pattern: RegExp, log: RemovalLog): Promise<void> {
  const names = await readdir(scratch.root);
  for (const name of names.filter((one) => pattern.test(one)))
    await collectFailure(removeTree(scratch, name, log), scratch, log);
}

/**
 * Opens each directory relative to its parent, because whoever wrote or serves that disk may have replaced a directory
 * with a link.
 */
async function removeTree(parent: DirectoryHandle, name: string, log: RemovalLog): Promise<void> {
  await using directory = await parent.enter(name);
  const removeOwn = async (file: string) => {
    await collectFailure(removeFile(path.join(directory.root, file)), directory, log);
    log.removedFiles += 1;
  };
  const removeEntries = async () => {
    const names = await readdir(directory.root);
    await inBatches(
      names.filter((one) => TREE_FILE_NAME.test(one)),
      removeOwn,
    );
    for (const child of names.filter((one) => TREE_DIRECTORY_NAME.test(one)))
      await collectFailure(removeTree(directory, child, log), directory, log);
  };
  await removeEmptied(removeEntries, () => directory.removeDirectory(), log);
}

/** Collects a failure in a directory under the path for messages. A missing file is not a failure. */
async function collectFailure(removal: Promise<void>, directory: DirectoryHandle, { failures }: RemovalLog) {
  await nullIfMissing(removal).catch((error: SystemError) => {
    failures.push(Object.assign(error, { path: directory.displayPath(error.path ?? directory.root) }));
  });
}

/**
 * Removes an entry of a scratch directory and all that is in it, whatever its names and modes, but follows no link and
 * enters no mount. Only this user can reach into a scratch directory, so end this user's processes in it first.
 */
export async function removePrivateTree(
  scratch: DirectoryHandle,
  name: string,
  log: RemovalLog,
): Promise<void> {
  const removeEntry = async (entry: string, isDirectory: boolean): Promise<void> => {
    if (!isDirectory) {
      await unlink(entry);
      log.removedFiles += 1;
      return;
    }
    const { mode } = await lstat(entry);
    if ((mode & OWNER_ACCESS) !== OWNER_ACCESS) await chmod(entry, mode | OWNER_ACCESS);
    const removeChild = (child: Dirent) =>
      collectFailure(removeEntry(path.join(entry, child.name), child.isDirectory()), scratch, log);
    const removeEntries = async () => inBatches(await readdir(entry, { withFileTypes: true }), removeChild);
    await removeEmptied(removeEntries, () => rmdir(entry), log);
  };
  const root = path.join(scratch.root, name);
  const stats = await nullIfMissing(lstat(root));
  if (stats === null) return;
  const mounts = (await readMountInfo()) ?? [];
  const mount = mounts.find((one) => `${one.path}/`.startsWith(`${path.join(scratch.resolved, name)}/`));
  if (mount) throw new Error(`unmount ${mount.path} first`);
  await removeEntry(root, stats.isDirectory());
}

export async function inBatches<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < items.length; start += BATCH)
    await Promise.all(items.slice(start, start + BATCH).map(act));
}

/** Removes a directory after its entries. Another rank, or a process that is about to end, may still create files. */
async function removeEmptied(
  removeEntries: () => Promise<void>,
  removeDirectory: () => Promise<void>,
  log: RemovalLog,
): Promise<void> {
  await removeEntries();
  await retryWhileBusy(removeDirectory, async (error) => {
    const removedBefore = log.removedFiles;
    if (hasCode(error, 'ENOTEMPTY')) await removeEntries();
    return log.removedFiles > removedBefore;
  });
}

/** Removes the parents that the run created if they are empty, but none that the scratch directory was moved into. */
async function removeCreatedParents(directory: DirectoryHandle, inodes: readonly string[]) {
  const [innermost, ...outer] = inodes;
  if (innermost === undefined) return;
  await using parent = await directory.parent();
  try {
    if ((await directory.inode()) !== innermost) return;
    await directory.removeDirectory();
  } catch (error) {
    if (hasCode(error, ...IGNORED_CODES)) return;
    throw error;
  }
  await removeCreatedParents(parent, outer);
}
