import { randomBytes } from 'node:crypto';
import { mkdir, readdir, statfs } from 'node:fs/promises';
import path from 'node:path';
import { isTreeDataset, type Phase } from '../../workers/phases/phase.js';
import { type FileTree, toolRunRoot } from '../../workers/protocol.js';
import { GobonnieError } from '../errors.js';
import { remoteKind } from '../machine/filesystem.js';
import type { RunPlan } from '../plan/plan.js';
import { TOOL_DIRECTORY_NAME, toolDirectoryName } from '../plan/tool-files.js';
import type { Warning } from '../report/schema/report.js';
import {
  findSystemError,
  isSystemError,
  type SystemError,
  systemHint,
  systemReason,
} from '../system-error.js';
import { display } from '../text/escape.js';
import { flag, msg } from '../text/message-template.js';
import { createWarning } from '../warnings/warning-catalogue.js';
import { FileLocation, SCRATCH_PREFIX } from './file-location.js';
import { type Marker, removeMarker, writeMarker } from './marker.js';
import { currentOwner } from './owner.js';
import { listMissingDirectories, removeCreatedParents } from './parents.js';
import { endProcesses } from './processes.js';
import { DirectoryHandle } from './safe-path/directory-handle.js';
import { createOwnFile, removeIfExists } from './safe-path/own-file.js';
import { createTrees, type RemovalLog, removePrivateTree, removeTrees } from './trees.js';
import type { Watcher } from './watcher/watcher.js';

/** As hexadecimal digits, these are the 6 characters of a scratch directory's name. */
const RANDOM_BYTES = 3;
/** Access for this user alone. */
const MODE = 0o700;
/** Not writable by others, because they could rename entries. */
const PARENT_MODE = 0o755;

/** The directory in which a command of the user runs. */
export const COMMAND_DIRECTORY = 'work';

type ScratchPlan = Pick<RunPlan, 'directory' | 'scratchLayout' | 'machine'>;

/** True for the directories of commands and of tools, which may hold any names. */
function isPrivateTree(name: string): boolean {
  return name === COMMAND_DIRECTORY || TOOL_DIRECTORY_NAME.test(name);
}

/** A temporary directory. Creates files, and removes them one by one, by the names that a run gives them. */
export class Scratch extends FileLocation {
  readonly warnings: readonly Warning[];
  readonly #marker: Marker;
  readonly #trees: readonly FileTree[];
  readonly #registerMarker: (exists: boolean) => void;
  readonly #log: RemovalLog = { removedFiles: 0, failures: [] };

  /** `registerMarker` is called as soon as the marker exists, and just before it is removed. */
  private constructor(
    directory: DirectoryHandle,
    marker: Marker,
    trees: readonly FileTree[] = [],
    warnings: readonly Warning[] = [],
    registerMarker: (exists: boolean) => void = () => {},
  ) {
    super(directory, marker.files);
    this.warnings = warnings;
    this.#marker = marker;
    this.#trees = trees;
    this.#registerMarker = registerMarker;
  }

  /** Creates the directory and any missing parents. Registers them with the watcher first. */
  static async create(plan: ScratchPlan, watcher: Watcher): Promise<Scratch> {
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
      const { files, trees, hasToolFiles = false } = plan.scratchLayout;
      const hasManyFiles = trees.length > 0 || hasToolFiles;
      const warnings = await checkAccess(directory, hasManyFiles, plan);
      const marker = { owner, createdParents, files };
      const scratch = new Scratch(directory, marker, trees, warnings, registerMarker);
      await scratch.#writeMarker();
      for (const one of opened.slice(0, -1)) await one[Symbol.asyncDispose]();
      return scratch;
    } catch (cause) {
      for (const created of opened.slice(1).reverse()) await created.removeDirectory().catch(() => {});
      for (const one of opened) await one[Symbol.asyncDispose]();
      throw creationError(`a temporary directory in ${display(plan.directory)}`, cause);
    }
  }

  static async removeLeftover(directory: DirectoryHandle, marker: Marker): Promise<void> {
    await new Scratch(directory, marker).#removeAll();
  }

  /**
   * Replaces the previous run's files or trees with empty ones, for a phase that fills them. The files of tools remain
   * until the end, because some filesystems create slowly after a deletion.
   */
  async recreate(phase: Phase, run: number): Promise<void> {
    const { dataset } = phase;
    await this.checkPlace(dataset);
    const { directory } = this;
    const { root } = directory;
    try {
      if (dataset === 'data') await this.#removeDataFiles();
      else if (isTreeDataset(dataset)) await removeTrees(this.directory, dataset, this.#log);
      this.#throwFirstFailure();
    } catch (error) {
      const failure = error as SystemError;
      throw cleanupError(directory.displayPath(failure.path ?? root), failure);
    }
    try {
      if (dataset === 'data') for (const file of this.files) await createOwnFile(file);
      else if (isTreeDataset(dataset)) await createTrees(root, this.#trees, dataset);
      else await mkdir(path.join(root, toolRunRoot(toolDirectoryName(phase), run)), MODE);
    } catch (cause) {
      const file = (isSystemError(cause) && cause.path) || root;
      throw creationError(display(directory.displayPath(file)), cause);
    }
  }

  /** The directory in which a command runs. */
  get commandDirectory(): string {
    return path.join(this.directory.fastRoot, COMMAND_DIRECTORY);
  }

  /** Creates an empty directory for a command, and first removes what an earlier one may have put in its place. */
  async createCommandDirectory(): Promise<void> {
    await removePrivateTree(this.directory, COMMAND_DIRECTORY, this.#log);
    this.#throwFirstFailure();
    await mkdir(this.commandDirectory, MODE);
  }

  /** Returns the free space for this user, in bytes. Infinite on a filesystem that does not count space, like ramfs. */
  async availableBytes(): Promise<number> {
    const { blocks, bsize, bavail } = await statfs(this.directory.root);
    return blocks === 0 ? Number.POSITIVE_INFINITY : bsize * bavail;
  }

  get removedFiles(): number {
    return this.#log.removedFiles;
  }

  /** Removes everything, even from the directory's new path if it was moved. Returns a warning in that case. */
  async remove(): Promise<Warning | null> {
    await using directory = this.directory;
    const { path: expected } = directory;
    const current = await directory.findPath().catch(() => expected);
    await this.#removeAll().catch((failure: SystemError) => {
      // Name a parent itself, but for anything inside name the scratch directory.
      const isAbove = expected.startsWith(`${failure.path}${path.sep}`);
      throw cleanupError(isAbove ? String(failure.path) : (current ?? expected), failure);
    });
    return current === expected ? null : createWarning('moved-directory', { directory: expected, current });
  }

  /** Removes the files, the directory and the parents that were created for it. Throws the first failure at the end. */
  async #removeAll(): Promise<void> {
    // Another directory may be in its place, with files of the same names or copies on another disk.
    if (await this.directory.isGone()) throw findSystemError('ENOENT');
    await this.#removeDataFiles();
    for (const dataset of ['tree', 'random-tree'] as const)
      await removeTrees(this.directory, dataset, this.#log);
    const names = await readdir(this.directory.root);
    if (names.includes(COMMAND_DIRECTORY)) await endProcesses(this.directory.resolved);
    for (const name of names.filter(isPrivateTree)) await removePrivateTree(this.directory, name, this.#log);
    // The remaining files need the marker, which names their owner.
    this.#throwFirstFailure();
    // Remove the marker last, once the parent is open. Write it again if the directory cannot be removed.
    await using parent = await this.directory.parent();
    this.#registerMarker(false);
    const existed = await removeMarker(this.directory.root);
    try {
      // Fails with ENOENT if it was moved or unmounted with everything in it.
      await this.directory.removeDirectory();
    } catch (error) {
      if (existed) await this.#writeMarker().catch(() => {});
      throw error;
    }
    await removeCreatedParents(parent, this.#marker.createdParents);
  }

  async #writeMarker(): Promise<void> {
    await writeMarker(this.directory.root, this.#marker);
    this.#registerMarker(true);
  }

  async #removeDataFiles(): Promise<void> {
    for (const file of this.files) {
      await removeIfExists(file).catch((error: SystemError) => this.#log.failures.push(error));
      this.#log.removedFiles += 1;
    }
  }

  #throwFirstFailure(): void {
    const [failure] = this.#log.failures.splice(0);
    if (failure) throw failure;
  }
}

/**
 * Returns the warnings about a directory. Throws if other users could replace the directories of small files with links,
 * which would redirect root. Mounts from Windows or Docker Desktop are exempt: there the other users are nearly always
 * the same person.
 */
async function checkAccess(
  scratch: DirectoryHandle,
  hasManyFiles: boolean,
  { directory, machine }: ScratchPlan,
): Promise<readonly Warning[]> {
  const warnings: Warning[] = [];
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
  const message = `cannot create ${description}: ${systemReason(cause)}`;
  return new GobonnieError('scratch-failed', message, systemHint(cause), { cause });
}

function cleanupError(path: string, cause: SystemError): GobonnieError {
  return new GobonnieError(
    'cleanup-failed',
    `${display(path)} could not be removed: ${systemReason(cause)}`,
    cause.code === 'ENOENT'
      ? 'it was moved, unmounted or removed during the run; if it still exists, remove it by hand'
      : 'once that is fixed, remove it by hand or with gobonnie clean',
    { cause },
  );
}
