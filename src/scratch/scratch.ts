import { randomInt } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import type { Dataset } from '../../workers/phases/phase.js';
import type { FileTree, Slice } from '../../workers/protocol.js';
import { GobonnieError } from '../errors.js';
import type { Plan } from '../plan/plan.js';
import { systemHint, systemReason } from '../system-error.js';
import { shown } from '../text/escape.js';
import { Belongings } from './data-files.js';
import { type Contents, EMPTY } from './marker.js';
import { MarkerFile } from './marker-file.js';
import { ownOwner } from './owner.js';
import { removeAll } from './remove.js';
import { Hold } from './safe-path/directory-handle.js';
import { identityOf } from './safe-path/directory-id.js';
import type { Watcher } from './watcher.js';

export const PREFIX = 'gobonnie-';
const CHARACTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const NAME_LENGTH = 6;
/** For this user alone. */
const MODE = 0o700;
/** Where others could write, they could rename what is in there. */
const PARENT_MODE = 0o755;
/** Filesystems take the time of the kernel's last tick, of which there may be but a hundred a second. */
const CLOCK_LAG_MS = 20;

type Stored = Pick<Plan, 'directory' | 'slices' | 'trees' | 'options'>;

/** The one temporary directory of a run. It removes what it made, file by file, and nothing else. */
export class Scratch {
  readonly #hold: Hold;
  readonly #marker: MarkerFile;
  readonly #belongings: Belongings;

  private constructor(hold: Hold, marker: MarkerFile) {
    this.#hold = hold;
    this.#marker = marker;
    this.#belongings = Belongings.planned(hold, marker);
  }

  /** What is about to be made is told to the watcher before, so that nothing is there that it does not know of. */
  static async create(plan: Stored, watcher: Watcher): Promise<Scratch> {
    const parent = plan.directory;
    /** The ground, then what is made in it, each in the one before. */
    const holds: Hold[] = [];
    try {
      const missing = await missingAbove(parent);
      let hold = await Hold.reach(missing[0] === undefined ? parent : path.dirname(missing[0]));
      holds.push(hold);
      const [name, owner] = [randomName(), ownOwner()];
      const parents = missing.map((directory) => path.basename(directory));
      // A link on the way may lead elsewhere by the time that it is looked for.
      const directory = path.join(hold.resolved, ...parents, name);
      const bornAfterMs = Date.now() - CLOCK_LAG_MS;
      watcher.expect({ directory, madeParents: parents.length, bornAfterMs, owner });
      for (const one of parents) {
        hold = await hold.make(one, PARENT_MODE);
        holds.push(hold);
      }
      hold = await hold.make(name, MODE);
      holds.push(hold);
      // Only now: whoever is killed between the two leaves one of which nothing is known.
      const madeParents = await Promise.all(
        holds
          .slice(1, -1)
          .toReversed()
          .map(({ root }) => identityOf(root)),
      );
      const marker = await MarkerFile.make(hold.root, { owner, madeParents, ...contentsOf(plan) });
      await releaseAll(holds.slice(0, -1));
      return new Scratch(hold, marker);
    } catch (cause) {
      for (const hold of holds.slice(1).reverse()) await hold.removeDirectory().catch(() => {});
      await releaseAll(holds);
      if (cause instanceof GobonnieError) throw cause;
      const error = cause as NodeJS.ErrnoException;
      throw new GobonnieError(
        'scratch-failed',
        `no temporary directory could be made in ${shown(parent)}: ${systemReason(error)}`,
        systemHint(error),
        { cause },
      );
    }
  }

  /** As people know it. */
  get path(): string {
    return this.#hold.path;
  }

  /** Whether names in it are looked up in a way that takes longer. */
  get isHeld(): boolean {
    return this.#hold.isHeld;
  }

  get trees(): readonly FileTree[] {
    return this.#belongings.trees;
  }

  /** The files that hold the slices. */
  get files(): readonly string[] {
    return this.#belongings.files;
  }

  /** A slice of the plan with the path that its file has here. */
  readonly located = (slice: Slice): Slice => ({ ...slice, file: path.join(this.#hold.root, slice.file) });

  /** What people know a file here as. */
  readonly named = (file: string): string => this.#hold.named(file);

  /** For a phase that makes its dataset: empty files or trees in the place of those that were there before. */
  async renew(dataset: Dataset, run: number): Promise<void> {
    const [failure] = await this.#belongings.clear(dataset);
    if (failure) throw leftBehind(this.named(String(failure.path)), failure);
    try {
      await this.#belongings.make(dataset, run);
    } catch (cause) {
      const error = cause as NodeJS.ErrnoException;
      throw new GobonnieError(
        'scratch-failed',
        `${shown(this.named(error.path ?? this.path))} could not be made: ${systemReason(error)}`,
        systemHint(error),
        { cause },
      );
    }
  }

  /** A phase has taken away all files of its dataset. */
  forget(dataset: Dataset): void {
    this.#belongings.forget(dataset);
  }

  async remove(): Promise<void> {
    const [failure] = await removeAll(this.#hold, this.#marker, this.#belongings).finally(() =>
      this.#hold.release(),
    );
    if (!failure) return;
    // One of the directories above, or anything within.
    const isAbove = this.path.startsWith(`${failure.path}${path.sep}`);
    throw leftBehind(isAbove ? String(failure.path) : this.path, failure);
  }
}

async function releaseAll(holds: readonly Hold[]): Promise<void> {
  for (const hold of holds) await hold.release();
}

function contentsOf({ slices, trees, options }: Stored): Contents {
  return {
    ...EMPTY,
    files: new Set(slices.map(({ file }) => file)).size,
    trees: trees.map(({ root, ...shape }) => shape),
    seed: options.seed,
  };
}

function randomName(): string {
  const characters = Array.from({ length: NAME_LENGTH }, () => CHARACTERS[randomInt(CHARACTERS.length)]);
  return PREFIX + characters.join('');
}

/** The directories that `directory` needs and that are not there, outermost first. */
async function missingAbove(directory: string): Promise<readonly string[]> {
  const isThere = await lstat(directory).then(
    () => true,
    () => false,
  );
  return isThere ? [] : [...(await missingAbove(path.dirname(directory))), directory];
}

function leftBehind(place: string, cause: NodeJS.ErrnoException): GobonnieError {
  return new GobonnieError(
    'cleanup-failed',
    `${shown(place)} could not be removed: ${systemReason(cause)}`,
    cause.code === 'ENOENT'
      ? 'it was moved, unmounted or removed by somebody else: if it is still anywhere, remove it by hand'
      : 'remove it by hand, or with gobonnie clean when the cause is mended',
    { cause },
  );
}
