import { randomInt } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import type { Dataset } from '../../workers/phases/phase.js';
import type { FileTree, Slice } from '../../workers/protocol.js';
import { GobonnieError } from '../errors.js';
import type { Plan } from '../plan/plan.js';
import type { Warning } from '../report/schema/report.js';
import { warningOf } from '../report/warning-catalogue.js';
import { isSystemError, type SystemError, systemHint, systemReason } from '../system-error.js';
import { shown } from '../text/escape.js';
import { type Contents, MarkerFile } from './marker.js';
import { ownOwner } from './owner.js';
import { DirectoryHandle } from './safe-path/directory-handle.js';
import { ScratchFiles } from './scratch-files.js';
import type { Watcher } from './watcher.js';

export const PREFIX = 'gobonnie-';
const CHARACTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const NAME_LENGTH = 6;
/** For this user alone. */
const MODE = 0o700;
/** Not writable by others, who could rename its entries. */
const PARENT_MODE = 0o755;

type Stored = Pick<Plan, 'directory' | 'slices' | 'trees' | 'options'>;

/** The temporary directory of a run. It removes the files that it made, one by one, and nothing else. */
export class Scratch {
  readonly #directory: DirectoryHandle;
  readonly #files: ScratchFiles;

  private constructor(directory: DirectoryHandle, marker: MarkerFile) {
    this.#directory = directory;
    this.#files = new ScratchFiles(directory, marker, 'run');
  }

  /** Tells the watcher about the directories before it makes them. */
  static async create(plan: Stored, watcher: Watcher): Promise<Scratch> {
    /** The directory that exists, then each one made in the one before. */
    const opened: DirectoryHandle[] = [];
    try {
      const missing = await missingAbove(plan.directory);
      const parents = missing.map((directory) => path.basename(directory));
      const existing = await DirectoryHandle.open(missing[0] ? path.dirname(missing[0]) : plan.directory);
      opened.push(existing);
      const [name, owner] = [randomName(), ownOwner()];
      // With links resolved, as they may lead elsewhere by the time the watcher looks.
      const directory = path.join(existing.resolved, ...parents, name);
      watcher.expect({ directory, owner, newParents: parents.length });
      const madeParents: string[] = [];
      let above = existing;
      for (const parent of parents) {
        above = await above.make(parent, PARENT_MODE);
        opened.push(above);
        madeParents.unshift(await above.inode());
      }
      const scratch = await above.make(name, MODE);
      opened.push(scratch);
      const marker = new MarkerFile(scratch.root, { owner, madeParents, ...contentsOf(plan) });
      await marker.write();
      watcher.expect({ directory, owner, newParents: null });
      for (const one of opened.slice(0, -1)) await one.close();
      return new Scratch(scratch, marker);
    } catch (cause) {
      for (const made of opened.slice(1).reverse()) await made.removeDirectory().catch(() => {});
      for (const one of opened) await one.close();
      throw cannotMake(`a temporary directory in ${shown(plan.directory)}`, cause);
    }
  }

  /** As people name it. */
  get path(): string {
    return this.#directory.path;
  }

  get trees(): readonly FileTree[] {
    return this.#files.trees;
  }

  /** The files that hold the slices. */
  get files(): readonly string[] {
    return this.#files.files;
  }

  /** Looking files up through /proc slows the phases with small files down. */
  get warnings(): readonly Warning[] {
    if (!this.#directory.isOpen || this.trees.length === 0) return [];
    return [warningOf('renamable-directory', { directory: this.path })];
  }

  /** A slice of the plan with the path of its file in this directory. */
  readonly located = (slice: Slice): Slice => ({
    ...slice,
    file: path.join(this.#directory.root, slice.file),
  });

  /** The path of a file in this directory, as people name it. */
  readonly named = (file: string): string => this.#directory.named(file);

  /** Replaces the files or trees of the run before by empty ones, for a phase that fills them. */
  async renew(dataset: Dataset, run: number): Promise<void> {
    const [failure] = await this.#files.clear(dataset);
    if (failure) throw leftBehind(this.named(String(failure.path)), failure);
    try {
      await this.#files.make(dataset, run);
    } catch (cause) {
      throw cannotMake(shown(this.named((isSystemError(cause) && cause.path) || this.path)), cause);
    }
  }

  /** To be called after a phase has removed all files of its dataset. */
  forget(dataset: Dataset): void {
    this.#files.forget(dataset);
  }

  async remove(): Promise<void> {
    const [failure] = await this.#directory.use(() => this.#files.remove());
    if (!failure) return;
    // A directory above is named itself; for anything inside, the scratch directory is.
    const isAbove = this.path.startsWith(`${failure.path}${path.sep}`);
    throw leftBehind(isAbove ? String(failure.path) : this.path, failure);
  }
}

function contentsOf({ slices, trees, options }: Stored): Contents {
  return {
    files: new Set(slices.map(({ file }) => file)).size,
    trees: trees.map(({ root, ...shape }) => shape),
    seed: options.seed,
    smallFilesOfRun: {},
  };
}

function randomName(): string {
  const characters = Array.from({ length: NAME_LENGTH }, () => CHARACTERS[randomInt(CHARACTERS.length)]);
  return PREFIX + characters.join('');
}

/** The directories that have to be made for `directory` to exist, outermost first. */
async function missingAbove(directory: string): Promise<readonly string[]> {
  const isThere = await lstat(directory).then(
    () => true,
    () => false,
  );
  return isThere ? [] : [...(await missingAbove(path.dirname(directory))), directory];
}

function cannotMake(what: string, cause: unknown): GobonnieError {
  if (cause instanceof GobonnieError) return cause;
  const message = `cannot make ${what}: ${systemReason(cause)}`;
  return new GobonnieError('scratch-failed', message, systemHint(cause), { cause });
}

function leftBehind(place: string, cause: SystemError): GobonnieError {
  return new GobonnieError(
    'cleanup-failed',
    `${shown(place)} could not be removed: ${systemReason(cause)}`,
    cause.code === 'ENOENT'
      ? 'it was moved, unmounted or removed during the run; if it still exists, remove it by hand'
      : 'once that is fixed, remove it by hand or with gobonnie clean',
    { cause },
  );
}
