import { randomBytes } from 'node:crypto';
import { lstat, mkdir, statfs } from 'node:fs/promises';
import path from 'node:path';
import { linkTarget, treeDirectories, treeRoot } from '../../workers/files/file-tree.js';
import { isTreeDataset, type Phase, type TreeDataset } from '../../workers/phases/phase.js';
import { type FileTree, toolRunRoot } from '../../workers/protocol.js';
import { GobonnieError } from '../errors.js';
import { remoteKind } from '../machine/filesystem.js';
import { toolDirectoryName } from '../plan/files.js';
import type { RunPlan } from '../plan/plan.js';
import type { Warning } from '../report/schema/report.js';
import { errorWithReason, isSystemError, type SystemError } from '../system-error.js';
import { display } from '../text/escape.js';
import { flag, msg } from '../text/message-template.js';
import { createWarning } from '../warnings/warning-catalogue.js';
import { COMMAND_DIRECTORY, checkPlace, listDataFiles, SCRATCH_PREFIX } from './file-location.js';
import { type Marker, writeMarker } from './marker.js';
import { currentOwner } from './owner.js';
import {
  type RemovalLog,
  removeDataFiles,
  removePrivateTree,
  removeScratch,
  removeTrees,
  TREE_NAMES,
  throwFirstFailure,
} from './removal.js';
import { DirectoryHandle } from './safe-path/directory-handle.js';
import { createOwnFile } from './safe-path/own-file.js';
import type { Watcher } from './watcher/watcher.js';

/** As hexadecimal digits, these are the 6 characters of a scratch directory's name. */
const RANDOM_BYTES = 3;
/** Access for this user alone. */
const MODE = 0o700;
/** Not writable by others, because they could rename entries. */
const PARENT_MODE = 0o755;

type ScratchPlan = Pick<RunPlan, 'directory' | 'scratchLayout' | 'machine'>;

/** A temporary directory with the files of a run. */
export type Scratch = Awaited<ReturnType<typeof createScratch>>;

export async function createScratch(plan: ScratchPlan, watcher: Watcher) {
  const { directory, marker, warnings, registerMarker } = await createDirectory(plan, watcher);
  const { root } = directory;
  const files = listDataFiles(directory, marker.files);
  const commandDirectory = path.join(directory.fastRoot, COMMAND_DIRECTORY);
  const log: RemovalLog = { removedFiles: 0, failures: [] };
  return {
    directory,
    files,
    warnings,
    commandDirectory,
    countRemovedFiles: () => log.removedFiles,

    /**
     * Replaces the previous run's files or trees with empty ones, for a phase that fills them. The files of tools remain
     * until the end, because some filesystems create slowly after a deletion.
     */
    async recreate(phase: Phase, run: number): Promise<void> {
      const { dataset } = phase;
      await checkPlace(directory, dataset);
      try {
        if (dataset === 'data') await removeDataFiles(files, log);
        else if (isTreeDataset(dataset)) await removeTrees(directory, TREE_NAMES[dataset], log);
        throwFirstFailure(log);
      } catch (error) {
        const failure = error as SystemError;
        throw cleanupError(directory.displayPath(failure.path ?? root), failure);
      }
      try {
        if (dataset === 'data') for (const file of files) await createOwnFile(file);
        else if (isTreeDataset(dataset)) await createTrees(root, plan.scratchLayout.trees, dataset);
        else await mkdir(path.join(root, toolRunRoot(toolDirectoryName(phase), run)), MODE);
      } catch (cause) {
        const file = (isSystemError(cause) && cause.path) || root;
        throw creationError(display(directory.displayPath(file)), cause);
      }
    },

    /** Creates an empty directory for a command, and first removes what an earlier one may have put in its place. */
    async createCommandDirectory(): Promise<void> {
      await removePrivateTree(directory, COMMAND_DIRECTORY, log);
      throwFirstFailure(log);
      await mkdir(commandDirectory, MODE);
    },

    /** Returns the free space for this user, in bytes. Infinite on a filesystem that does not count space, like ramfs. */
    async availableBytes(): Promise<number> {
      const { blocks, bsize, bavail } = await statfs(root);
      return blocks === 0 ? Number.POSITIVE_INFINITY : bsize * bavail;
    },

    /** Removes everything, even from the directory's new path if it was moved. Returns a warning in that case. */
    async remove(): Promise<Warning | null> {
      await using _handle = directory;
      const { path: expected } = directory;
      const current = await directory.findPath().catch(() => expected);
      await removeScratch(directory, marker, log, registerMarker).catch((failure: SystemError) => {
        // Name a parent itself, but for anything inside name the scratch directory.
        const isAbove = expected.startsWith(`${failure.path}${path.sep}`);
        throw cleanupError(isAbove ? String(failure.path) : (current ?? expected), failure);
      });
      return current === expected ? null : createWarning('moved-directory', { directory: expected, current });
    },
  };
}

/** Creates the directory and any missing parents. Registers them with the watcher first. */
async function createDirectory(plan: ScratchPlan, watcher: Watcher) {
  /** The existing directory, then each new directory in it, outermost first. */
  const opened: DirectoryHandle[] = [];
  try {
    const missing = await listMissingDirectories(plan.directory);
    const parents = missing.map((directory) => path.basename(directory));
    const existing = await DirectoryHandle.open(missing[0] ? path.dirname(missing[0]) : plan.directory);
    opened.push(existing);
    const name = SCRATCH_PREFIX + randomBytes(RANDOM_BYTES).toString('hex');
    const owner = currentOwner();
    // Resolve links now, because they may lead elsewhere by the time the watcher follows them.
    const resolved = path.join(existing.resolved, ...parents, name);
    /** Call as soon as the marker exists, and just before it is removed. */
    const registerMarker = (exists: boolean) =>
      watcher.register({ directory: resolved, owner, newParents: exists ? null : parents.length });
    registerMarker(false);
    const createdParents: string[] = [];
    let innermost = existing;
    for (const parent of parents) {
      innermost = await innermost.create(parent, PARENT_MODE);
      opened.push(innermost);
      createdParents.unshift(await innermost.inode());
    }
    const directory = await innermost.create(name, MODE);
    opened.push(directory);
    const warnings = await checkAccess(directory, plan);
    const marker: Marker = { owner, createdParents, files: plan.scratchLayout.files };
    await writeMarker(directory.root, marker);
    registerMarker(true);
    for (const one of opened.slice(0, -1)) await one[Symbol.asyncDispose]();
    return { directory, marker, warnings, registerMarker };
  } catch (cause) {
    for (const created of opened.slice(1).reverse()) await created.removeDirectory().catch(() => {});
    for (const one of opened) await one[Symbol.asyncDispose]();
    throw creationError(`a temporary directory in ${display(plan.directory)}`, cause);
  }
}

/** Returns the directories that must be created for `directory` to exist, outermost first. */
async function listMissingDirectories(directory: string): Promise<readonly string[]> {
  const exists = await lstat(directory).then(
    () => true,
    () => false,
  );
  return exists ? [] : [...(await listMissingDirectories(path.dirname(directory))), directory];
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

/**
 * Returns the warnings about a directory. Throws if other users could replace the directories of small files with links,
 * which would redirect root. Mounts from Windows or Docker Desktop are exempt: there the other users are nearly always
 * the same person.
 */
async function checkAccess(
  scratch: DirectoryHandle,
  { directory, machine, scratchLayout: { trees, hasToolFiles } }: ScratchPlan,
): Promise<readonly Warning[]> {
  const warnings: Warning[] = [];
  const hasManyFiles = trees.length > 0 || hasToolFiles;
  if (await scratch.canOthersWrite()) {
    const isPersonal = ['windows', 'docker'].includes(remoteKind(machine.target) ?? '');
    if (hasManyFiles && machine.isRoot && !isPersonal)
      throw new GobonnieError(
        'directory-unusable',
        `other users can write to files created in ${display(directory)}, and could redirect root with links`,
        msg`pass ${flag('phases')} without those that create many files, or do not run as root`,
      );
    warnings.push(createWarning('writable-by-others', { directory: scratch.path }));
  }
  // Looking up files through /proc slows down the phases with small files.
  if (scratch.isOpen && scratch.isRenamable && hasManyFiles)
    warnings.push(createWarning('renamable-directory', { directory: scratch.path }));
  return warnings;
}

function creationError(description: string, cause: unknown): GobonnieError {
  if (cause instanceof GobonnieError) return cause;
  return errorWithReason('scratch-failed', `cannot create ${description}`, cause);
}

function cleanupError(path: string, cause: SystemError): GobonnieError {
  const hint =
    cause.code === 'ENOENT'
      ? 'it was moved, unmounted or removed during the run; if it still exists, remove it by hand'
      : 'once that is fixed, remove it by hand or with gobonnie clean';
  return errorWithReason('cleanup-failed', `${display(path)} could not be removed`, cause, hint);
}
