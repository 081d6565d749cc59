import type { Dirent } from 'node:fs';
import { chmod, lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { TREE_DIRECTORY_NAME, TREE_FILE_NAME } from '../../workers/files/file-tree.js';
import { readMountInfo } from '../machine/mount.js';
import { TOOL_DIRECTORY_NAME } from '../plan/files.js';
import { findSystemError, hasCode, nullIfMissing, type SystemError } from '../system-error.js';
import { COMMAND_DIRECTORY } from './file-location.js';
import { type Marker, removeMarker, writeMarker } from './marker.js';
import {
  findOwnDirectory,
  isMoved,
  type OwnDirectory,
  removeDirectory,
  removeFile,
  retryWhileBusy,
} from './own-files.js';
import { endProcesses } from './processes.js';

/** The names of the data files and of the trees of small files. */
const DATASET_NAMES = { data: /^bonnie\.\d+$/, tree: /^tree\.\d+$/, 'random-tree': /^tree\.\d+-random$/ };
/** Number of files to process at once. One by one, the removal of a million files would take minutes. */
const BATCH = 64;
/** What the owner needs in order to list and empty a directory. */
const OWNER_ACCESS = 0o700;
/** Codes that end the removal of parents without an error: another entry is in the parent, or it is gone. */
const IGNORED_CODES = ['ENOTEMPTY', 'EEXIST', 'ENOENT'];

/** The progress of a removal, which continues after a failure, because the other files free their space. */
export interface RemovalLog {
  removedFiles: number;
  readonly failures: SystemError[];
}

/** Removes the files, the directory and the parents that were created for it. Throws the first failure at the end. */
export async function removeScratch(
  directory: OwnDirectory,
  marker: Marker,
  log: RemovalLog = { removedFiles: 0, failures: [] },
): Promise<void> {
  for (const dataset of ['data', 'tree', 'random-tree'] as const)
    await removeDataset(directory, dataset, log);
  const names = await readdir(directory.path);
  if (names.includes(COMMAND_DIRECTORY)) await endProcesses(directory.path);
  for (const name of names.filter((one) => one === COMMAND_DIRECTORY || TOOL_DIRECTORY_NAME.test(one)))
    await removePrivateTree(directory, name, log);
  // The remaining files need the marker, which names their owner.
  throwFirstFailure(log);
  await throwIfMoved(directory);
  // Remove the marker last. Write it again if the directory cannot be removed.
  const existed = await removeMarker(directory.path);
  try {
    await removeDirectory(directory.path);
  } catch (error) {
    if (existed) await writeMarker(directory.path, marker).catch(() => {});
    throw error;
  }
  await removeCreatedParents(directory.path, marker.createdParents);
}

/** Another directory may be in its place, with files of the same names or copies on another disk. */
async function throwIfMoved(directory: OwnDirectory): Promise<void> {
  if (await isMoved(directory)) throw findSystemError('ENOENT');
}

export function throwFirstFailure({ failures }: RemovalLog): void {
  const [failure] = failures.splice(0);
  if (failure) throw failure;
}

/** Removes the files of a dataset. Keeps entries that gobonnie did not name. */
export async function removeDataset(
  scratch: OwnDirectory,
  dataset: keyof typeof DATASET_NAMES,
  log: RemovalLog,
): Promise<void> {
  await throwIfMoved(scratch);
  const names = await readdir(scratch.path);
  for (const name of names.filter((one) => DATASET_NAMES[dataset].test(one))) {
    await throwIfMoved(scratch);
    const entry = path.join(scratch.path, name);
    const removeOwnTree = () => findOwnDirectory(entry).then(() => removeTree(entry, isTreeEntry, log));
    await collectFailure(dataset === 'data' ? removeLogged(entry, log) : removeOwnTree(), log);
  }
}

function isTreeEntry(entry: Dirent): boolean {
  return (entry.isDirectory() ? TREE_DIRECTORY_NAME : TREE_FILE_NAME).test(entry.name);
}

/** Collects a failure. A missing file is not a failure. */
async function collectFailure(removal: Promise<void>, { failures }: RemovalLog): Promise<void> {
  await nullIfMissing(removal).catch((error: SystemError) => {
    failures.push(error);
  });
}

async function removeLogged(file: string, log: RemovalLog): Promise<void> {
  await removeFile(file);
  log.removedFiles += 1;
}

/**
 * Removes an entry of a scratch directory and all that is in it, whatever its names and modes, but follows no link and
 * enters no mount. Only this user can reach into a scratch directory, so end this user's processes in it first.
 */
export async function removePrivateTree(scratch: OwnDirectory, name: string, log: RemovalLog): Promise<void> {
  await throwIfMoved(scratch);
  const root = path.join(scratch.path, name);
  const stats = await nullIfMissing(lstat(root));
  if (stats === null) return;
  const mounts = (await readMountInfo()) ?? [];
  const mount = mounts.find((one) => `${one.path}/`.startsWith(`${root}/`));
  if (mount) throw new Error(`unmount ${mount.path} first`);
  await (stats.isDirectory() ? removeTree(root, () => true, log) : removeLogged(root, log));
}

/** Removes a directory with the entries for which `isRemoved` is true. A link is an entry, and no directory. */
async function removeTree(
  directory: string,
  isRemoved: (entry: Dirent) => boolean,
  log: RemovalLog,
): Promise<void> {
  const { mode } = await lstat(directory);
  if ((mode & OWNER_ACCESS) !== OWNER_ACCESS) await chmod(directory, mode | OWNER_ACCESS);
  const removeEntry = (entry: Dirent) => {
    const child = path.join(directory, entry.name);
    return collectFailure(
      entry.isDirectory() ? removeTree(child, isRemoved, log) : removeLogged(child, log),
      log,
    );
  };
  const removeEntries = async () => {
    const entries = await readdir(directory, { withFileTypes: true });
    await inBatches(entries.filter(isRemoved), removeEntry);
  };
  await removeEntries();
  // Another rank, or a process that is about to end, may still create files.
  await retryWhileBusy(
    () => removeDirectory(directory),
    async (error) => {
      const removedBefore = log.removedFiles;
      if (hasCode(error, 'ENOTEMPTY')) await removeEntries();
      return log.removedFiles > removedBefore;
    },
  );
}

export async function inBatches<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < items.length; start += BATCH)
    await Promise.all(items.slice(start, start + BATCH).map(act));
}

/** Removes the parents that the run created if they are empty, but none that the scratch directory was moved into. */
async function removeCreatedParents(scratch: string, inodes: readonly string[]): Promise<void> {
  let directory = scratch;
  for (const inode of inodes) {
    directory = path.dirname(directory);
    try {
      const { ino } = await lstat(directory, { bigint: true });
      if (String(ino) !== inode) return;
      await removeDirectory(directory);
    } catch (error) {
      if (hasCode(error, ...IGNORED_CODES)) return;
      throw error;
    }
  }
}
