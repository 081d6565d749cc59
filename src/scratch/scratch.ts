import { statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Dataset } from '../../workers/phases/phase.js';
import type { Assignment } from '../../workers/protocol.js';
import { GobonnieError } from '../errors.js';
import { remoteKind } from '../machine/filesystem.js';
import type { Claim, Target } from '../machine/machine.js';
import type { RunPlan } from '../plan/plan.js';
import type { Warning } from '../report/schema/report.js';
import { createWarning } from '../report/warning-catalogue.js';
import { isSystemError, type SystemError } from '../system-error.js';
import { display } from '../text/escape.js';
import { flag, msg } from '../text/message-template.js';
import { closeQuietly, earlierClaims, openForDiscovery } from './claims.js';
import { allocatedBytes, dataFilePaths } from './data-files.js';
import { MarkerFile } from './marker.js';
import { currentOwner } from './owner.js';
import { listMissingDirectories, removeCreatedParents } from './parents.js';
import { type FileLocation, resolvePathsIn } from './peer-scratch.js';
import { DirectoryHandle } from './safe-path/directory-handle.js';
import { createOwnFile, ignoreMissing } from './safe-path/own-file.js';
import { removeFile } from './safe-path/retry.js';
import { cleanupError, creationError } from './scratch-errors.js';
import { randomScratchName } from './scratch-name.js';
import { SmallFiles } from './small-files.js';
import type { Watcher } from './watcher/watcher.js';

/** For this user alone. */
const MODE = 0o700;
/** Not writable by others, who could rename its entries. */
const PARENT_MODE = 0o755;

type ScratchPlan = Pick<RunPlan, 'directory' | 'scratchLayout' | 'neededBytes' | 'machine'>;

/** A temporary directory. Its files are made and removed one by one, by the names that follow from its marker. */
export class Scratch implements FileLocation {
  readonly files: readonly string[];
  readonly warnings: readonly Warning[];
  readonly #directory: DirectoryHandle;
  readonly #marker: MarkerFile;
  readonly #smallFiles: SmallFiles;
  /** An open file descriptor of the directory, by which other runs find it. */
  readonly #presence: number | null;
  #removedFiles = 0;

  /** That of a run which has made only the marker so far, or that of a dead process. */
  constructor(
    directory: DirectoryHandle,
    marker: MarkerFile,
    origin: 'run' | 'dead process',
    presence: number | null = null,
    warnings: readonly Warning[] = [],
  ) {
    const { root } = directory;
    const contents = marker.marker;
    this.files = dataFilePaths(root, contents.files);
    this.warnings = warnings;
    this.#directory = directory;
    this.#marker = marker;
    this.#presence = presence;
    this.#smallFiles = new SmallFiles(root, contents, origin === 'run' ? null : directory);
  }

  /** Tells the watcher about the directories before it makes them. */
  static async create(plan: ScratchPlan, watcher: Watcher, job?: string): Promise<Scratch> {
    /** The directory that exists, then each one made in the one before. */
    const opened: DirectoryHandle[] = [];
    let presence: number | null = null;
    try {
      const missing = await listMissingDirectories(plan.directory);
      const parents = missing.map((directory) => path.basename(directory));
      const existing = await DirectoryHandle.open(missing[0] ? path.dirname(missing[0]) : plan.directory);
      opened.push(existing);
      const [name, owner] = [randomScratchName(), currentOwner()];
      // With links resolved, because they may lead elsewhere by the time the watcher reads them.
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
        neededBytes: plan.neededBytes,
        ...(job !== undefined && { job }),
        ...plan.scratchLayout,
        smallFileRuns: {},
      };
      const marker = new MarkerFile(scratch.root, contents, registerDirectory);
      // Before the marker is there: a run that finds no directory has the earlier marker.
      presence = await openForDiscovery(scratch);
      await marker.write();
      for (const one of opened.slice(0, -1)) await one.close();
      return new Scratch(scratch, marker, 'run', presence, await scratchWarnings(scratch, marker));
    } catch (cause) {
      closeQuietly(presence);
      for (const made of opened.slice(1).reverse()) await made.removeDirectory().catch(() => {});
      for (const one of opened) await one.close();
      throw creationError(`a temporary directory in ${display(plan.directory)}`, cause);
    }
  }

  /** As people name it. */
  get path(): string {
    return this.#directory.path;
  }

  readonly resolvePaths = (assigned: Assignment): Assignment =>
    resolvePathsIn(this.#directory.root, assigned);

  readonly displayPath = (file: string): string => this.#directory.displayPath(file);

  /** Replaces the files or trees of the previous run by empty ones, for a phase that fills them. */
  async recreate(dataset: Dataset, run: number): Promise<void> {
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

  /** Writes a heartbeat for other hosts. */
  beat(): Promise<void> {
    return this.#marker.beat();
  }

  /** Call after a phase has removed all files of its dataset. */
  markDeleted(dataset: Dataset): void {
    if (dataset !== 'data') this.#smallFiles.markDeleted(dataset);
  }

  /** Call after --stonewall has stopped the phase that made the files: each tree has at most this many files. */
  recordCreatedCount(dataset: Dataset, maxPerTree: number): void {
    if (dataset !== 'data') this.#smallFiles.recordCreatedCount(dataset, maxPerTree);
  }

  /** The space that other runs have claimed here before this run. */
  earlierClaims(target: Pick<Target, 'mount'>): Promise<readonly Claim[]> {
    return earlierClaims(target, { root: this.#directory.root, name: path.basename(this.path) });
  }

  /** How much this user can still write here. Infinite if the filesystem does not count its space, as ramfs. */
  async availableBytes(): Promise<number> {
    const { blocks, bsize, bavail } = await statfs(this.#directory.root);
    return blocks === 0 ? Number.POSITIVE_INFINITY : bsize * bavail;
  }

  /** The space that its data takes. */
  dataBytes(): Promise<number> {
    return allocatedBytes(this.files);
  }

  /** Number of remaining small files. */
  get remainingSmallFiles(): number {
    return this.#smallFiles.remaining;
  }

  /** Number of files removed so far. */
  get removedFiles(): number {
    return this.#removedFiles + this.#smallFiles.removedCount;
  }

  async remove(): Promise<void> {
    try {
      await this.#directory.use(() => this.removeAll());
    } catch (error) {
      const failure = error as SystemError;
      // A directory above is named itself; for anything inside, the scratch directory is.
      const isAbove = this.path.startsWith(`${failure.path}${path.sep}`);
      throw cleanupError(isAbove ? String(failure.path) : this.path, failure);
    } finally {
      closeQuietly(this.#presence);
    }
  }

  /** Removes everything, with the directory and those above that were made for it. Throws the first failure at the end. */
  async removeAll(): Promise<void> {
    const [failure] = [...(await this.#removeDataFiles()), ...(await this.#smallFiles.remove())];
    // The remaining files need the marker, which names their owner.
    if (failure) throw failure;
    const parent = await this.#directory.parent();
    // The marker goes last, now that everything needed after it is open, and comes back if the directory stays.
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
 * Whether others could put links in place of the directories of small files, which would lead root anywhere. Of a mount
 * that Windows or Docker Desktop serves the others are nearly always the same person.
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
  // Looking files up through /proc slows the phases with small files down.
  const isSlow = scratch.isOpen && marker.trees.length > 0;
  return [
    ...((await scratch.canOthersWrite()) ? [createWarning('writable-by-others', { directory })] : []),
    ...(isSlow ? [createWarning('renamable-directory', { directory })] : []),
  ];
}
