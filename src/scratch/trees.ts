import type { Dirent } from 'node:fs';
import { chmod, lstat, mkdir, readdir, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import {
  linkTarget,
  type NameOrder,
  TREE_DIRECTORY_NAME,
  TREE_FILE_NAME,
  treeDirectories,
  treeRoot,
} from '../../workers/files/file-tree.js';
import type { TreeDataset } from '../../workers/phases/phase.js';
import type { FileTree } from '../../workers/protocol.js';
import { readMountInfo } from '../machine/mount.js';
import { hasCode, nullIfMissing, type SystemError } from '../system-error.js';
import type { DirectoryHandle } from './safe-path/directory-handle.js';
import { createOwnFile, removeFile, retryWhileBusy } from './safe-path/own-file.js';

const TREES: Readonly<Record<TreeDataset, { readonly order: NameOrder; readonly name: RegExp }>> = {
  tree: { order: 'numeric', name: /^tree\.\d+$/ },
  'random-tree': { order: 'random', name: /^tree\.\d+-random$/ },
};
/** Number of entries to remove at once. One by one, a million files would take minutes. */
const BATCH = 64;
/** Access for this user alone, who needs it to list and empty a directory. */
const MODE = 0o700;

/** The progress of a removal, which continues after a failure, because the other files free their space. */
export interface RemovalLog {
  /** Number of files removed, or already gone. */
  removedFiles: number;
  readonly failures: SystemError[];
}

/** Creates the directories for the files of workers, and the targets of their links. */
export async function createTrees(
  root: string,
  trees: readonly FileTree[],
  dataset: TreeDataset,
): Promise<void> {
  const { order } = TREES[dataset];
  for (const [index, relative] of trees.entries()) {
    // All trees of a shared directory have the same root.
    if (relative.root === trees[index - 1]?.root) continue;
    const tree = { ...relative, root: path.join(root, relative.root) };
    const base = treeRoot(tree, order);
    await mkdir(base, MODE);
    if (tree.kind !== 'files') await createOwnFile(linkTarget(tree, order));
    for (const directory of treeDirectories(tree, order))
      if (directory !== base) await mkdir(directory, MODE);
  }
}

/** Removes all trees of a dataset, except entries with foreign names. */
export async function removeTrees(
  scratch: DirectoryHandle,
  dataset: TreeDataset,
  log: RemovalLog,
): Promise<void> {
  const names = await readdir(scratch.root);
  for (const name of names.filter((one) => TREES[dataset].name.test(one)))
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
    if ((mode & MODE) !== MODE) await chmod(entry, mode | MODE);
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

async function inBatches<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
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
