import { mkdir, readdir } from 'node:fs/promises';
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
import { hasCode, nullIfMissing, type SystemError } from '../system-error.js';
import type { DirectoryHandle } from './safe-path/directory-handle.js';
import { createOwnFile, removeFile, retryWhileBusy } from './safe-path/own-file.js';

const TREES: Readonly<Record<TreeDataset, { readonly order: NameOrder; readonly name: RegExp }>> = {
  tree: { order: 'numeric', name: /^tree\.\d+$/ },
  'random-tree': { order: 'random', name: /^tree\.\d+-random$/ },
};
/** Number of files to remove at once. One by one, a million files would take minutes. */
const BATCH_FILES = 256;
/** Access for this user alone. */
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
  await removeEntries(directory, log);
  await retryWhileBusy(
    () => directory.removeDirectory(),
    // After a signal, another rank may still create files in a shared directory.
    async (error) => hasCode(error, 'ENOTEMPTY') && (await removeEntries(directory, log)),
  );
}

/** Returns true if it removed a file. */
async function removeEntries(directory: DirectoryHandle, log: RemovalLog): Promise<boolean> {
  const removedBefore = log.removedFiles;
  const names = await readdir(directory.root);
  const remove = async (name: string) => {
    await collectFailure(removeFile(path.join(directory.root, name)), directory, log);
    log.removedFiles += 1;
  };
  const files = names.filter((name) => TREE_FILE_NAME.test(name));
  for (let start = 0; start < files.length; start += BATCH_FILES)
    await Promise.all(files.slice(start, start + BATCH_FILES).map(remove));
  for (const name of names.filter((one) => TREE_DIRECTORY_NAME.test(one)))
    await collectFailure(removeTree(directory, name, log), directory, log);
  return log.removedFiles > removedBefore;
}

/** Collects a failure in a directory under the path for messages. A missing file is not a failure. */
async function collectFailure(removal: Promise<void>, directory: DirectoryHandle, { failures }: RemovalLog) {
  await nullIfMissing(removal).catch((error: SystemError) => {
    failures.push(Object.assign(error, { path: directory.displayPath(error.path ?? directory.root) }));
  });
}
