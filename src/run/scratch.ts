import { randomInt } from 'node:crypto';
import { lstat, mkdir, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { Stock } from '../../workers/phases/phase.js';
import type { Slice, Tree } from '../../workers/protocol.js';
import { GobonnieError, shown, systemHint, systemReason } from '../errors.js';
import type { Plan } from '../plan.js';
import { Belongings } from './belongings.js';
import { Hold } from './hold.js';
import { type Contents, removeMarker, writeMarker } from './marker.js';
import { unlessMissing } from './own-file.js';
import { ownOwner } from './owner.js';
import type { Watcher } from './watcher.js';

export const PREFIX = 'gobonnie-';
const CHARACTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const NAME_LENGTH = 6;
/** For this user alone. */
const MODE = 0o700;

type Stored = Pick<Plan, 'directory' | 'slices' | 'trees' | 'options'>;

/** The one temporary directory of a run. It removes what it made, file by file, and nothing else. */
export class Scratch {
  readonly #hold: Hold;
  readonly #belongings: Belongings;
  /** Innermost first. */
  readonly #madeParents: readonly string[];

  private constructor(hold: Hold, belongings: Belongings, madeParents: readonly string[]) {
    this.#hold = hold;
    this.#belongings = belongings;
    this.#madeParents = madeParents;
  }

  /** What is about to be made is told to the watcher before, so that nothing is there that it does not know of. */
  static async create(plan: Stored, watcher: Watcher): Promise<Scratch> {
    const parent = plan.directory;
    const made: string[] = [];
    let hold: Hold | null = null;
    try {
      const missing = await missingAbove(parent);
      const directory = path.join(parent, randomName());
      watcher.expect({ directory, madeParents: missing.length });
      for (const one of missing) {
        await mkdir(one);
        made.unshift(one);
      }
      // Whatever is there already, a link too, makes this fail.
      await mkdir(directory, MODE);
      const madeParents = [...made];
      made.unshift(directory);
      hold = await Hold.take(directory);
      const contents = contentsOf(plan);
      await writeMarker(hold.root, { owner: ownOwner(), madeParents: missing.length, ...contents });
      return new Scratch(hold, Belongings.planned(hold.root, contents), madeParents);
    } catch (cause) {
      if (hold) await removeMarker(hold.root).catch(() => {});
      await hold?.release();
      await removeEmpty(made);
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

  get trees(): readonly Tree[] {
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

  /** For a phase that makes its stock: empty files or trees in the place of those that were there before. */
  async renew(stock: Stock, run: number): Promise<void> {
    const [failure] = await this.#belongings.clear(stock);
    if (failure) throw leftBehind(this.named(String(failure.path)), failure);
    try {
      await this.#belongings.make(stock, run);
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

  /** A phase has taken away all files of its stock. */
  forget(stock: Stock): void {
    this.#belongings.forget(stock);
  }

  async remove(): Promise<void> {
    const [failure] = await removeAll(this.#hold, this.#belongings);
    await this.#hold.release();
    if (failure) throw leftBehind(this.path, failure);
    const stays = await removeEmpty(this.#madeParents);
    if (stays) throw leftBehind(String(stays.path), stays);
  }
}

/** Removes the directory with what is known to be in it; gives what failed. */
export async function removeAll(
  hold: Hold,
  belongings: Belongings,
): Promise<readonly NodeJS.ErrnoException[]> {
  const failures = [...(await belongings.remove())];
  // As long as anything is left, it says whose that is.
  if (failures.length > 0) return failures;
  await removeMarker(hold.root).catch(unlessMissing((error) => failures.push(error)));
  // Where it is missing it was moved or unmounted, with all that is in it: nobody but us removes it.
  await hold.removeDirectory().catch((error: NodeJS.ErrnoException) => failures.push(error));
  return failures;
}

function contentsOf({ slices, trees, options }: Stored): Contents {
  return {
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

/** Not ours alone any more, or gone. */
const OTHERS = ['ENOTEMPTY', 'EEXIST', 'ENOENT'];

/**
 * Innermost first. What someone else has put something into meanwhile is no longer ours alone, and stays, as does all
 * that it lies in; gives what failed otherwise.
 */
export async function removeEmpty(directories: readonly string[]): Promise<NodeJS.ErrnoException | null> {
  for (const directory of directories) {
    const failure = await rmdir(directory).then(
      () => null,
      (error: NodeJS.ErrnoException) => error,
    );
    if (failure && !OTHERS.includes(failure.code ?? '')) return failure;
  }
  return null;
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
