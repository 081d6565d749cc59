import { statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Dataset } from '../../workers/phases/phase.js';
import type { Assignment } from '../../workers/protocol.js';
import { GobonnieError } from '../errors.js';
import { remoteKind } from '../machine/filesystem.js';
import type { RunPlan } from '../plan/plan.js';
import type { Warning } from '../report/schema/report.js';
import { findSystemError, isSystemError, type SystemError } from '../system-error.js';
import { display } from '../text/escape.js';
import { flag, msg } from '../text/message-template.js';
import { createWarning } from '../warnings/warning-catalogue.js';
import { dataFilePaths } from './data-files.js';
import { MarkerFile } from './marker.js';
import { currentOwner } from './owner.js';
import { listMissingDirectories, removeCreatedParents } from './parents.js';
import { checkPlaceOf, type FileLocation, resolvePathsIn } from './peer-scratch.js';
import { DirectoryHandle } from './safe-path/directory-handle.js';
import { createOwnFile, ignoreMissing } from './safe-path/own-file.js';
import { removeFile } from './safe-path/retry.js';
import { cleanupError, creationError } from './scratch-errors.js';
import { randomScratchName } from './scratch-name.js';
import { SmallFiles } from './small-files.js';
import type { Watcher } from './watcher/watcher.js';

/** Access for this user alone. */
const MODE = 0o700;
/** Not writable by others, because they could rename entries. */
const PARENT_MODE = 0o755;

type ScratchPlan = Pick<RunPlan, 'directory' | 'scratchLayout' | 'machine'>;

/** A temporary directory. Creates and removes files one by one, by names that follow from the marker. */
export class Scratch implements FileLocation {
  readonly files: readonly string[];
  readonly warnings: readonly Warning[];
  readonly #directory: DirectoryHandle;
  readonly #marker: MarkerFile;
  readonly #smallFiles: SmallFiles;
  #removedFiles = 0;

  /** For a run that has created only the marker so far, or for the leftovers of a dead process. */
  constructor(
    directory: DirectoryHandle,
    marker: MarkerFile,
    origin: 'run' | 'dead process',
    warnings: readonly Warning[] = [],
  ) {
    const { root } = directory;
    const contents = marker.marker;
    this.files = dataFilePaths(root, contents.files);
    this.warnings = warnings;
    this.#directory = directory;
    this.#marker = marker;
    this.#smallFiles = new SmallFiles(root, contents, origin === 'run' ? null : directory);
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
      const name = randomScratchName();
      const owner = currentOwner();
      // Resolve links now, because they may lead elsewhere by the time the watcher follows them.
      const directory = path.join(existing.resolved, ...parents, name);
      const registerDirectory = (isMarked: boolean) =>
        watcher.register({ directory, owner, newParents: isMarked ? null : parents.length });
      registerDirectory(false);
      const createdParents: string[] = [];
      let innermost = existing;
      for (const parent of parents) {
        innermost = await innermost.create(parent, PARENT_MODE);
        opened.push(innermost);
        createdParents.unshift(await innermost.inode());
      }
      const scratch = await innermost.create(name, MODE);
      opened.push(scratch);
      if (await canBeRedirected(scratch, plan)) throw redirectionError(plan.directory);
      const contents = {
        owner,
        createdParents,
        ...plan.scratchLayout,
        smallFileRuns: {},
      };
      const marker = new MarkerFile(scratch.root, contents, registerDirectory);
      await marker.write();
      for (const one of opened.slice(0, -1)) await one.close();
      return new Scratch(scratch, marker, 'run', await scratchWarnings(scratch, marker));
    } catch (cause) {
      for (const created of opened.slice(1).reverse()) await created.removeDirectory().catch(() => {});
      for (const one of opened) await one.close();
      throw creationError(`a temporary directory in ${display(plan.directory)}`, cause);
    }
  }

  /** The path for messages. */
  get path(): string {
    return this.#directory.path;
  }

  readonly resolvePaths = (assigned: Assignment): Assignment => resolvePathsIn(this.#directory, assigned);

  readonly displayPath = (file: string): string => this.#directory.displayPath(file);

  checkPlace(dataset: Dataset): Promise<void> {
    return checkPlaceOf(this.#directory, dataset);
  }

  /** Replaces the previous run's files or trees with empty ones, for a phase that fills them. */
  async recreate(dataset: Dataset, run: number): Promise<void> {
    await this.checkPlace(dataset);
    const isData = dataset === 'data';
    const [failure] = await (isData ? this.#removeDataFiles() : this.#smallFiles.clear(dataset));
    if (failure) throw cleanupError(this.displayPath(String(failure.path)), failure);
    try {
      if (isData) {
        for (const file of this.files) await createOwnFile(file);
      } else {
        await this.#marker.recordSmallFiles(dataset, run);
        await this.#smallFiles.create(dataset, run);
      }
    } catch (cause) {
      throw creationError(
        display(this.displayPath((isSystemError(cause) && cause.path) || this.path)),
        cause,
      );
    }
  }

  /** Call after a phase has deleted all files of its dataset. */
  markDeleted(dataset: Dataset): void {
    if (dataset !== 'data') this.#smallFiles.markDeleted(dataset);
  }

  /** Call after --stonewall has stopped the phase that creates the files: each tree has at most this many files. */
  recordCreatedCount(dataset: Dataset, maxPerTree: number): void {
    if (dataset !== 'data') this.#smallFiles.recordCreatedCount(dataset, maxPerTree);
  }

  /** Returns the free space for this user, in bytes. Infinite on a filesystem that does not count space, like ramfs. */
  async availableBytes(): Promise<number> {
    const { blocks, bsize, bavail } = await statfs(this.#directory.root);
    return blocks === 0 ? Number.POSITIVE_INFINITY : bsize * bavail;
  }

  /** Number of files removed so far. */
  get removedFiles(): number {
    return this.#removedFiles + this.#smallFiles.removedCount;
  }

  /** Removes everything, even from the directory's new path if it was moved. Returns a warning in that case. */
  async remove(): Promise<Warning | null> {
    const current = await this.#directory.findPath().catch(() => this.path);
    try {
      await this.#directory.use(() => this.removeAll());
    } catch (error) {
      const failure = error as SystemError;
      // Name a parent itself, but for anything inside name the scratch directory.
      const isAbove = this.path.startsWith(`${failure.path}${path.sep}`);
      throw cleanupError(isAbove ? String(failure.path) : (current ?? this.path), failure);
    }
    return current === this.path ? null : createWarning('moved-directory', { directory: this.path, current });
  }

  /** Removes the files, the directory and the parents that were created for it. Throws the first failure at the end. */
  async removeAll(): Promise<void> {
    // Another directory may be in its place, with files of the same names or copies on another disk.
    if (await this.#directory.isGone()) throw findSystemError('ENOENT');
    const [dataFailure] = await this.#removeDataFiles();
    const [smallFileFailure] = await this.#smallFiles.remove();
    const failure = dataFailure ?? smallFileFailure;
    // The remaining files need the marker, which names their owner.
    if (failure) throw failure;
    const parent = await this.#directory.parent();
    // Remove the marker last, once the parent is open. Write it again if the directory cannot be removed.
    await parent.use(async () => {
      const existed = await this.#marker.remove();
      try {
        // Fails with ENOENT if it was moved or unmounted with everything in it.
        await this.#directory.removeDirectory();
      } catch (error) {
        if (existed) await this.#marker.write().catch(() => {});
        throw error;
      }
      await removeCreatedParents(parent, this.#marker.marker.createdParents);
    });
  }

  /** Continues after a failure, because the other files free their space. */
  async #removeDataFiles(): Promise<readonly SystemError[]> {
    const failures: SystemError[] = [];
    for (const file of this.files) {
      await removeFile(file).catch(ignoreMissing((error) => failures.push(error)));
      this.#removedFiles += 1;
    }
    return failures;
  }
}

/**
 * True if other users could replace the directories of small files with links, which would redirect root. Mounts from
 * Windows or Docker Desktop are exempt: there the other users are nearly always the same person.
 */
async function canBeRedirected(
  scratch: DirectoryHandle,
  { scratchLayout, machine }: ScratchPlan,
): Promise<boolean> {
  if (scratchLayout.trees.length === 0 || !machine.isRoot) return false;
  const isPersonal = ['windows', 'docker'].includes(remoteKind(machine.target) ?? '');
  return !isPersonal && (await scratch.canOthersWrite());
}

function redirectionError(directory: string): GobonnieError {
  return new GobonnieError(
    'directory-unusable',
    `other users can write to files created in ${display(directory)}, and could redirect root with links`,
    msg`pass ${flag('phases')} without create, stat and delete, or do not run as root`,
  );
}

async function scratchWarnings(
  scratch: DirectoryHandle,
  { marker }: MarkerFile,
): Promise<readonly Warning[]> {
  const directory = scratch.path;
  const warnings: Warning[] = [];
  if (await scratch.canOthersWrite()) warnings.push(createWarning('writable-by-others', { directory }));
  // Looking up files through /proc slows down the phases with small files.
  const isSlow = scratch.isOpen && scratch.isRenamable && marker.trees.length > 0;
  if (isSlow) warnings.push(createWarning('renamable-directory', { directory }));
  return warnings;
}
