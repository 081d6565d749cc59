import { lstat, mkdir, mkdtemp, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { Stock } from '../../workers/phases/phase.js';
import type { Slice, Tree } from '../../workers/protocol.js';
import { GobonnieError, shown, systemHint, systemReason } from '../errors.js';
import type { Plan } from '../plan.js';
import { Forest } from './forest.js';
import { makeFile, unlessMissing } from './own-file.js';

const PREFIX = 'gobonnie-';

type Stored = Pick<Plan, 'directory' | 'slices' | 'trees' | 'options'>;

/** The one temporary directory of a run. It deletes what it made, file by file, and nothing else. */
export class Scratch {
  readonly path: string;
  /** Innermost first. */
  readonly #madeParents: readonly string[];
  /** The plan's trees, with the paths that they have here. */
  readonly trees: readonly Tree[];
  /** The paths of the files that hold the slices. */
  readonly files: readonly string[];
  readonly #forest: Forest;

  private constructor(directory: string, madeParents: readonly string[], { slices, trees, options }: Stored) {
    this.path = directory;
    this.#madeParents = madeParents;
    this.trees = trees.map((tree) => ({ ...tree, root: path.join(directory, tree.root) }));
    this.files = [...new Set(slices.map(this.located).map(({ file }) => file))];
    this.#forest = new Forest(this.trees, options.seed);
  }

  static async create(plan: Stored): Promise<Scratch> {
    const parent = plan.directory;
    const madeParents: string[] = [];
    try {
      for (const missing of await missingAbove(parent)) {
        await mkdir(missing);
        madeParents.unshift(missing);
      }
      // mkdtemp makes a directory that was not there before, for this user alone (0700).
      return new Scratch(await mkdtemp(path.join(parent, PREFIX)), madeParents, plan);
    } catch (cause) {
      await removeEmpty(madeParents);
      const error = cause as NodeJS.ErrnoException;
      throw new GobonnieError(
        'scratch-failed',
        `no temporary directory could be made in ${shown(parent)}: ${systemReason(error)}`,
        systemHint(error),
        { cause },
      );
    }
  }

  /** A slice of the plan with the path that its file has here. */
  readonly located = (slice: Slice): Slice => ({ ...slice, file: path.join(this.path, slice.file) });

  /** For a phase that makes its stock: empty files or trees in the place of those that were there before. */
  async renew(stock: Stock, run: number): Promise<void> {
    const [failure] = stock === 'data' ? await this.#unlinkAll() : await this.#forest.clear(stock);
    if (failure) throw leftBehind(String(failure.path), failure);
    if (stock !== 'data') return this.#forest.plant(stock, run);
    for (const file of this.files) await makeFile(file);
  }

  /** A phase has taken away all files of its stock. */
  forget(stock: Stock): void {
    if (stock !== 'data') this.#forest.forget(stock);
  }

  async remove(): Promise<void> {
    const failures = [...(await this.#unlinkAll()), ...(await this.#forest.fell())];
    await rmdir(this.path).catch(unlessMissing((error) => failures.push(error)));
    const [failure] = failures;
    if (failure) throw leftBehind(this.path, failure);
    await removeEmpty(this.#madeParents);
  }

  /** Tries every file, so that one that stays does not keep the others' space; gives what failed. */
  async #unlinkAll(): Promise<NodeJS.ErrnoException[]> {
    const failures: NodeJS.ErrnoException[] = [];
    for (const file of this.files) await unlink(file).catch(unlessMissing((error) => failures.push(error)));
    return failures;
  }
}

/** The directories that `directory` needs and that are not there, outermost first. */
async function missingAbove(directory: string): Promise<readonly string[]> {
  const isThere = await lstat(directory).then(
    () => true,
    () => false,
  );
  return isThere ? [] : [...(await missingAbove(path.dirname(directory))), directory];
}

/** Innermost first. What someone else has put something into meanwhile is no longer ours alone, and stays. */
async function removeEmpty(directories: readonly string[]): Promise<void> {
  for (const directory of directories) await rmdir(directory).catch(() => {});
}

function leftBehind(place: string, cause: NodeJS.ErrnoException): GobonnieError {
  return new GobonnieError(
    'cleanup-failed',
    `${shown(place)} could not be removed: ${systemReason(cause)}`,
    'remove it by hand',
    { cause },
  );
}
