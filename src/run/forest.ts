import { mkdir, rmdir, unlink } from 'node:fs/promises';
import type { Stock } from '../../workers/phases/phase.js';
import type { Tree } from '../../workers/protocol.js';
import { directoriesOf, filesOf, linkTargetOf, type NameOrder, rootOf } from '../../workers/tree.js';
import { makeFile, unlessMissing } from './own-file.js';

export type TreeStock = Exclude<Stock, 'data'>;
/** The run whose files may be there. */
export type Planted = Readonly<Partial<Record<TreeStock, number>>>;

const ORDERS = { tree: 'numeric', 'random-tree': 'random' } as const satisfies Record<TreeStock, NameOrder>;
const STOCKS = ['tree', 'random-tree'] as const satisfies readonly TreeStock[];

/** So many are removed at once: one by one, a million files would take minutes. */
const BATCH = 256;

/**
 * The trees of a run: the directories that its workers put their small files into. What a file is called follows from
 * the seed and the run, so that each can be removed by its name, and nothing else ever is.
 */
export class Forest {
  readonly trees: readonly Tree[];
  readonly #seed: number;
  /** The run whose files may be there. */
  readonly #planted = new Map<TreeStock, number>();
  /** Whose directories are there. */
  readonly #rooted = new Set<TreeStock>();

  private constructor(trees: readonly Tree[], seed: number) {
    this.trees = trees;
    this.#seed = seed;
  }

  /** Those of a run that has made nothing yet. */
  static planned(trees: readonly Tree[], seed: number): Forest {
    return new Forest(trees, seed);
  }

  /** The trees as another process may have left them, anything of them missing. */
  static found(trees: readonly Tree[], seed: number, planted: Planted): Forest {
    const forest = new Forest(trees, seed);
    for (const stock of STOCKS) {
      forest.#rooted.add(stock);
      const run = planted[stock];
      if (run !== undefined) forest.#planted.set(stock, run);
    }
    return forest;
  }

  /** Empty directories for the files of a run, and what its links lead to. */
  async plant(stock: TreeStock, run: number): Promise<void> {
    this.#planted.set(stock, run);
    if (this.#rooted.has(stock)) return;
    this.#rooted.add(stock);
    const order = ORDERS[stock];
    for (const tree of this.trees) {
      const root = rootOf(tree, order);
      await mkdir(root);
      if (tree.kind !== 'files') await makeFile(linkTargetOf(tree, order));
      for (const directory of directoriesOf(tree, order)) if (directory !== root) await mkdir(directory);
    }
  }

  /** All files of the stock are gone. */
  forget(stock: TreeStock): void {
    this.#planted.delete(stock);
  }

  /** Removes the files of the stock that are there; gives what failed. */
  async clear(stock: TreeStock): Promise<readonly NodeJS.ErrnoException[]> {
    const run = this.#planted.get(stock);
    if (run === undefined) return [];
    const failures: NodeJS.ErrnoException[] = [];
    const note = unlessMissing((error) => failures.push(error));
    for (const [index, tree] of this.trees.entries()) {
      const files = filesOf(tree, ORDERS[stock], [this.#seed, run, index]);
      for (const some of inBatches(files))
        await Promise.all(some.map(({ path }) => unlink(path).catch(note)));
    }
    // What is still there is tried once more when everything is removed.
    if (failures.length === 0) this.forget(stock);
    return failures;
  }

  /** Removes everything. */
  async fell(): Promise<readonly NodeJS.ErrnoException[]> {
    const failures: NodeJS.ErrnoException[] = [];
    for (const stock of STOCKS) failures.push(...(await this.clear(stock)), ...(await this.#uproot(stock)));
    return failures;
  }

  async #uproot(stock: TreeStock): Promise<readonly NodeJS.ErrnoException[]> {
    if (!this.#rooted.has(stock)) return [];
    const failures: NodeJS.ErrnoException[] = [];
    const note = unlessMissing((error) => failures.push(error));
    const order = ORDERS[stock];
    for (const tree of this.trees) {
      const root = rootOf(tree, order);
      for (const directory of directoriesOf(tree, order))
        if (directory !== root) await rmdir(directory).catch(note);
      if (tree.kind !== 'files') await unlink(linkTargetOf(tree, order)).catch(note);
      await rmdir(root).catch(note);
    }
    return failures;
  }
}

function* inBatches<Item>(items: Iterable<Item>): Generator<readonly Item[]> {
  let batch: Item[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
