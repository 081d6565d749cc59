import { mkdir, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import {
  directoriesOf,
  filesOf,
  linkTargetOf,
  type NameOrder,
  rootOf,
  type SmallFile,
} from '../../workers/files/tree.js';
import type { Dataset } from '../../workers/phases/phase.js';
import type { FileTree } from '../../workers/protocol.js';
import type { Hold } from './safe-path/directory-handle.js';
import { makeFile, unlessMissing } from './safe-path/own-file.js';

export type TreeDataset = Exclude<Dataset, 'data'>;
/** The run whose files may be there. */
export type Planted = Readonly<Partial<Record<TreeDataset, number>>>;

const ORDERS = { tree: 'numeric', 'random-tree': 'random' } as const satisfies Record<TreeDataset, NameOrder>;
const DATASETS = ['tree', 'random-tree'] as const satisfies readonly TreeDataset[];

/** So many are removed at once: one by one, a million files would take minutes. */
const BATCH = 256;
/** For this user alone. */
const MODE = 0o700;

/**
 * The trees of a run: the directories that its workers put their small files into. What a file is called follows from
 * the seed and the run, so that each can be removed by its name, and nothing else ever is.
 */
export class Forest {
  readonly trees: readonly FileTree[];
  readonly #seed: number;
  /** What the trees are in, where another process made them. */
  readonly #hold: Hold | null;
  /** The run whose files may be there. */
  readonly #planted = new Map<TreeDataset, number>();
  /** Whose directories are there. */
  readonly #rooted = new Set<TreeDataset>();

  private constructor(trees: readonly FileTree[], seed: number, hold: Hold | null) {
    this.trees = trees;
    this.#seed = seed;
    this.#hold = hold;
  }

  /** Those of a run that has made nothing yet. */
  static planned(trees: readonly FileTree[], seed: number): Forest {
    return new Forest(trees, seed, null);
  }

  /** As another process may have left them, anything of them missing, or something else in its place. */
  static found(trees: readonly FileTree[], seed: number, planted: Planted, hold: Hold): Forest {
    const forest = new Forest(trees, seed, hold);
    for (const dataset of DATASETS) {
      forest.#rooted.add(dataset);
      const run = planted[dataset];
      if (run !== undefined) forest.#planted.set(dataset, run);
    }
    return forest;
  }

  /** Empty directories for the files of a run, and what its links lead to. */
  async plant(dataset: TreeDataset, run: number): Promise<void> {
    this.#planted.set(dataset, run);
    if (this.#rooted.has(dataset)) return;
    this.#rooted.add(dataset);
    const order = ORDERS[dataset];
    for (const tree of this.trees) {
      const root = rootOf(tree, order);
      await mkdir(root, MODE);
      if (tree.kind !== 'files') await makeFile(linkTargetOf(tree, order));
      for (const directory of directoriesOf(tree, order))
        if (directory !== root) await mkdir(directory, MODE);
    }
  }

  /** All files of the dataset are gone. */
  forget(dataset: TreeDataset): void {
    this.#planted.delete(dataset);
  }

  /** Removes the files of the dataset that are there; gives what failed. */
  async clear(dataset: TreeDataset): Promise<readonly NodeJS.ErrnoException[]> {
    const run = this.#planted.get(dataset);
    if (run === undefined) return [];
    const failures: NodeJS.ErrnoException[] = [];
    const noteAt = notesIn(failures);
    for (const [index, tree] of this.trees.entries()) {
      const files = filesOf(tree, ORDERS[dataset], [this.#seed, run, index]);
      for (const { directory, files: some } of inBatches(files))
        await this.#inside(directory, async (root) => {
          const remove = ({ path: file }: SmallFile) =>
            unlink(path.join(root, path.basename(file))).catch(noteAt(file));
          await Promise.all(some.map(remove));
        }).catch(noteAt(directory));
    }
    // What is still there is tried once more when everything is removed.
    if (failures.length === 0) this.forget(dataset);
    return failures;
  }

  /** Removes everything. */
  async fell(): Promise<readonly NodeJS.ErrnoException[]> {
    const failures: NodeJS.ErrnoException[] = [];
    for (const dataset of DATASETS)
      failures.push(...(await this.clear(dataset)), ...(await this.#uproot(dataset)));
    return failures;
  }

  async #uproot(dataset: TreeDataset): Promise<readonly NodeJS.ErrnoException[]> {
    if (!this.#rooted.has(dataset)) return [];
    const failures: NodeJS.ErrnoException[] = [];
    const noteAt = notesIn(failures);
    const order = ORDERS[dataset];
    for (const tree of this.trees) {
      const root = rootOf(tree, order);
      await this.#inside(root, async (place) => {
        const below = (file: string) => path.join(place, path.basename(file));
        for (const directory of directoriesOf(tree, order))
          if (directory !== root) await rmdir(below(directory)).catch(noteAt(directory));
        const target = linkTargetOf(tree, order);
        if (tree.kind !== 'files') await unlink(below(target)).catch(noteAt(target));
      }).catch(noteAt(root));
      await rmdir(root).catch(noteAt(root));
    }
    return failures;
  }

  /**
   * Acts in one of the directories, and tells what goes before a name there. What another process made, whoever chose
   * what is on the disk may have replaced by a link that leads anywhere: so each is opened in the one before.
   */
  async #inside(directory: string, act: (root: string) => Promise<void>): Promise<void> {
    if (!this.#hold) return act(directory);
    await insideOf(this.#hold, path.relative(this.#hold.root, directory).split(path.sep), act);
  }
}

async function insideOf(
  hold: Hold,
  [name, ...deeper]: readonly string[],
  act: (root: string) => Promise<void>,
): Promise<void> {
  if (name === undefined) return act(hold.root);
  const next = await hold.enter(name);
  try {
    await insideOf(next, deeper, act);
  } finally {
    await next.release();
  }
}

/** For what fails, by the path that is known. What is missing has not failed. */
function notesIn(failures: NodeJS.ErrnoException[]) {
  return (place: string) => unlessMissing((error) => failures.push(Object.assign(error, { path: place })));
}

interface Batch {
  readonly directory: string;
  readonly files: readonly SmallFile[];
}

/** Each of one directory. */
function* inBatches(files: Iterable<SmallFile>): Generator<Batch> {
  let batch: SmallFile[] = [];
  let directory = '';
  for (const file of files) {
    if (batch.length === BATCH || file.directory !== directory) {
      if (batch.length > 0) yield { directory, files: batch };
      batch = [];
    }
    directory = file.directory;
    batch.push(file);
  }
  if (batch.length > 0) yield { directory, files: batch };
}
