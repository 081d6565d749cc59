import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { linkTarget, treeDirectories, treeRoot } from '../../workers/files/file-tree.js';
import { isTreeDataset, type TreeDataset } from '../../workers/phases/phase.js';
import { type FileTree, toolRunRoot } from '../../workers/protocol.js';
import { GobonnieError } from '../errors.js';
import type { RunPlan } from '../plan/plan.js';
import type { Step } from '../plan/steps.js';
import type { Warning } from '../report/schema/report.js';
import { errorWithReason, isSystemError, type SystemError } from '../system-error.js';
import { display } from '../text/escape.js';
import { createWarning } from '../warnings/warning-catalogue.js';
import { COMMAND_DIRECTORY, listDataFiles, SCRATCH_PREFIX } from './file-location.js';
import { writeMarker } from './marker.js';
import {
  canOthersWrite,
  createOwnDirectory,
  createOwnFile,
  type OwnDirectory,
  rejectMovedDirectory,
  removeDirectory,
  resolveDirectory,
} from './own-files.js';
import { currentOwner } from './owner.js';
import { Removal } from './removal.js';
import type { Watcher } from './watcher/watcher.js';

/** As hexadecimal digits, these are the 6 characters of a scratch directory's name. */
const RANDOM_BYTES = 3;
/** Access for this user alone. */
const MODE = 0o700;

type ScratchPlan = Pick<RunPlan, 'directory' | 'scratchLayout'>;

/** A temporary directory with the files of a run. */
export type Scratch = Awaited<ReturnType<typeof createScratch>>;

/** Creates a temporary directory, or nothing if the run only reads existing files. */
export function openScratch(plan: RunPlan, watcher: Watcher): Promise<Scratch> {
  return plan.machine.sample ? useExisting(plan.directory) : createScratch(plan, watcher);
}

async function useExisting(directory: string): Promise<Scratch> {
  const { dev, ino } = await stat(directory, { bigint: true });
  const nothing = async () => {};
  return {
    directory: { path: directory, dev, ino },
    files: [],
    warnings: [],
    commandDirectory: directory,
    countRemovedFiles: () => 0,
    recreate: nothing,
    createCommandDirectory: nothing,
    availableBytes: async () => Number.POSITIVE_INFINITY,
    remove: nothing,
  };
}

export async function createScratch(plan: ScratchPlan, watcher: Watcher) {
  const { directory, openDirectory, owner, warnings } = await createDirectory(plan, watcher);
  const root = directory.path;
  const files = listDataFiles(directory, plan.scratchLayout.files);
  const commandDirectory = path.join(root, COMMAND_DIRECTORY);
  const removal = new Removal(directory);
  return {
    directory,
    files,
    warnings,
    commandDirectory,
    countRemovedFiles: () => removal.removedFiles,

    /**
     * Replaces the previous run's files or trees with empty ones, for a phase that fills them. The files of tools remain
     * until the end, because some filesystems create slowly after a deletion.
     */
    async recreate({ phase: { dataset }, assignments }: Step, run: number): Promise<void> {
      const toolRoot = toolRunRoot(assignments[0]?.toolDirectory?.root ?? '', run);
      await rejectMovedDirectory(directory);
      try {
        if (dataset === 'data' || isTreeDataset(dataset)) await removal.removeDataset(dataset);
        // A step that is measured again finds its own files.
        else await removal.removePrivateTree(toolRoot);
        removal.throwFirstFailure();
      } catch (error) {
        const failure = error as SystemError;
        throw cleanupError(failure.path ?? root, failure);
      }
      try {
        if (dataset === 'data') for (const file of files) await createOwnFile(file);
        else if (isTreeDataset(dataset)) await createTrees(root, plan.scratchLayout.trees, dataset);
        else await mkdir(path.join(root, toolRoot), MODE);
      } catch (cause) {
        const file = (isSystemError(cause) && cause.path) || root;
        throw creationError(display(file), cause);
      }
    },

    /** Creates an empty directory for a command, and first removes what an earlier one may have put in its place. */
    async createCommandDirectory(): Promise<void> {
      await removal.removePrivateTree(COMMAND_DIRECTORY);
      removal.throwFirstFailure();
      await mkdir(commandDirectory, MODE);
    },

    /** Returns the free space for this user, in bytes. Infinite on a filesystem that does not count space, like ramfs. */
    async availableBytes(): Promise<number> {
      const { blocks, bsize, bavail } = await statfs(root);
      return blocks === 0 ? Number.POSITIVE_INFINITY : bsize * bavail;
    },

    /** Removes everything. Throws if the directory was moved: then its user has to remove it by hand. */
    async remove(): Promise<void> {
      try {
        await removal.removeAll(owner);
      } catch (error) {
        throw cleanupError(root, error as SystemError);
      } finally {
        // Nothing depends on it any more.
        await openDirectory?.close().catch(() => {});
      }
    },
  };
}

/** Creates the directory. Registers it with the watcher first. */
async function createDirectory(plan: ScratchPlan, watcher: Watcher) {
  let directory: OwnDirectory | null = null;
  let openDirectory: FileHandle | null = null;
  try {
    const parent = await resolveDirectory(plan.directory);
    const directoryPath = path.join(parent, SCRATCH_PREFIX + randomBytes(RANDOM_BYTES).toString('hex'));
    const owner = currentOwner();
    watcher.register({ directory: directoryPath, owner });
    directory = await createOwnDirectory(directoryPath, MODE);
    // A FUSE filesystem may give a directory another inode number once no process uses it. Windows opens no directories.
    if (process.platform !== 'win32') openDirectory = await open(directoryPath);
    const warnings = await findWarnings(parent);
    await writeMarker(directoryPath, owner);
    return { directory, openDirectory, owner, warnings };
  } catch (cause) {
    await openDirectory?.close();
    if (directory) await removeDirectory(directory.path).catch(() => {});
    throw creationError(`a temporary directory in ${display(plan.directory)}`, cause);
  }
}

/** Creates the directories for the files of workers, and the targets of their links. */
async function createTrees(root: string, trees: readonly FileTree[], dataset: TreeDataset): Promise<void> {
  for (const [index, relative] of trees.entries()) {
    // All trees of a shared directory have the same root.
    if (relative.root === trees[index - 1]?.root) continue;
    const tree = { ...relative, root: path.join(root, relative.root) };
    const base = treeRoot(tree, dataset);
    await mkdir(base, MODE);
    if (tree.kind !== 'files') await createOwnFile(linkTarget(tree, dataset));
    for (const directory of treeDirectories(tree, dataset))
      if (directory !== base) await mkdir(directory, MODE);
  }
}

/** Returns a warning if others than the owner of the directory can move the scratch directory in it. */
async function findWarnings(directory: string): Promise<readonly Warning[]> {
  const ownGroup = process.getegid?.() ?? 0;
  if (!canOthersWrite(await stat(directory), [ownGroup])) return [];
  return [createWarning('writable-by-others', { directory })];
}

function creationError(description: string, cause: unknown): GobonnieError {
  if (cause instanceof GobonnieError) return cause;
  return errorWithReason('scratch-failed', `cannot create ${description}`, cause);
}

function cleanupError(path: string, cause: SystemError): GobonnieError {
  const hint =
    cause.code === 'ENOENT'
      ? 'it was moved, replaced, unmounted or removed during the run; if it still exists, remove it by hand'
      : 'once that is fixed, remove it by hand or with gobonnie clean';
  return errorWithReason('cleanup-failed', `${display(path)} could not be removed`, cause, hint);
}
