import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  directoriesOf,
  filesOf,
  linkTargetOf,
  type NameOrder,
  rootOf,
  type SmallFile,
} from '../../workers/files/tree.js';
import type { FileTree } from '../../workers/protocol.js';
import { numbered } from '../plan/files.js';
import { hasCode, type SystemError } from '../system-error.js';
import type { Contents, TreeDataset } from './marker.js';
import type { DirectoryHandle } from './safe-path/directory-handle.js';
import { makeFile, unlessMissing } from './safe-path/own-file.js';
import { removeEmptyDirectory, removeFile } from './safe-path/patience.js';

const ORDERS = { tree: 'numeric', 'random-tree': 'random' } as const satisfies Record<TreeDataset, NameOrder>;
const DATASETS = ['tree', 'random-tree'] as const satisfies readonly TreeDataset[];

/** How many files are removed at once. One by one, a million files would take minutes. */
const BATCH = 256;
/** For this user alone. */
const MODE = 0o700;
/** How long other ranks may take to stop. */
const STRAGGLERS_MS = 3000;
const RETRY_MS = 50;

/** The directory trees for the workers' small files. All names follow from the seed and the run. */
export class SmallFiles {
  readonly #trees: readonly FileTree[];
  readonly #inOne: boolean;
  readonly #seed: number;
  readonly #found: DirectoryHandle | null;
  /** The run whose files may exist. */
  readonly #runs: { [dataset in TreeDataset]?: number };
  /** The datasets whose directories may exist. */
  readonly #made: Set<TreeDataset>;
  /** How many files there are in each tree at most, if not all were made. */
  readonly #most: { [dataset in TreeDataset]?: number } = {};
  #removed = 0;
  /** Of the dataset that is being removed. */
  #cleared = 0;

  /** With `found`, the files that a dead process may have left in that directory. */
  constructor(root: string, contents: Contents, found: DirectoryHandle | null) {
    this.#trees = numbered(contents.trees, contents.inOne ?? false).map((tree) => ({
      ...tree,
      root: path.join(root, tree.root),
    }));
    this.#inOne = contents.inOne ?? false;
    this.#seed = contents.seed;
    this.#found = found;
    this.#runs = { ...contents.smallFilesOfRun };
    this.#made = new Set(found ? DATASETS : []);
  }

  /** Makes the directories for the files of a run, and the file that its links point to. */
  async make(dataset: TreeDataset, run: number): Promise<void> {
    this.#runs[dataset] = run;
    delete this.#most[dataset];
    if (this.#made.has(dataset)) return;
    this.#made.add(dataset);
    const order = ORDERS[dataset];
    for (const tree of this.#roots()) {
      const root = rootOf(tree, order);
      await mkdir(root, MODE);
      if (tree.kind !== 'files') await makeFile(linkTargetOf(tree, order));
      for (const directory of directoriesOf(tree, order))
        if (directory !== root) await mkdir(directory, MODE);
    }
  }

  /** How many files were removed so far, or were gone already. */
  get removed(): number {
    return this.#removed;
  }

  /** How many files are still to be removed. */
  get left(): number {
    const counts = DATASETS.filter((dataset) => this.#runs[dataset] !== undefined).flatMap((dataset) =>
      this.#treesOf(dataset).map(({ count, made = count }) => made),
    );
    return Math.max(0, counts.reduce((all, count) => all + count, 0) - this.#cleared);
  }

  /** To be called after --stonewall has cut the phase that made them: each tree has at most this many files. */
  noteMade(dataset: TreeDataset, mostInEach: number): void {
    this.#most[dataset] = mostInEach;
  }

  /** To be called after a phase has removed all files. */
  forget(dataset: TreeDataset): void {
    delete this.#runs[dataset];
  }

  /** Removes the files and returns the failures. */
  async clear(dataset: TreeDataset): Promise<readonly SystemError[]> {
    const run = this.#runs[dataset];
    if (run === undefined) return [];
    const failures: SystemError[] = [];
    const noteAt = notesIn(failures);
    this.#cleared = 0;
    for (const tree of this.#treesOf(dataset)) {
      for (const batch of inBatches(filesOf(tree, ORDERS[dataset], [this.#seed, run, tree.index]))) {
        const directory = batch[0]?.directory ?? '';
        await this.#inside(directory, async (root) => {
          const remove = async ({ path: file }: SmallFile) => {
            await removeFile(path.join(root, path.basename(file))).catch(noteAt(file));
            this.#removed += 1;
            this.#cleared += 1;
          };
          await Promise.all(batch.map(remove));
        }).catch(noteAt(directory));
      }
    }
    this.#cleared = 0;
    // If any are left, remove() tries again.
    if (failures.length === 0) this.forget(dataset);
    return failures;
  }

  /**
   * Removes everything and returns the failures. After a signal another rank may still make a file in a directory that
   * all share, so it is tried again.
   */
  async remove(): Promise<readonly SystemError[]> {
    const end = performance.now() + STRAGGLERS_MS;
    for (;;) {
      const runs = { ...this.#runs };
      const failures = await this.#removeOnce();
      const mayPass = this.#inOne && failures.some((failure) => hasCode(failure, 'ENOTEMPTY'));
      if (!mayPass || performance.now() > end) return failures;
      Object.assign(this.#runs, runs);
      await setTimeout(RETRY_MS);
    }
  }

  async #removeOnce(): Promise<readonly SystemError[]> {
    const failures: SystemError[] = [];
    for (const dataset of DATASETS)
      failures.push(...(await this.clear(dataset)), ...(await this.#removeDirectories(dataset)));
    return failures;
  }

  #treesOf(dataset: TreeDataset): readonly FileTree[] {
    const most = this.#most[dataset] ?? Number.POSITIVE_INFINITY;
    return this.#trees.map((tree) => ({ ...tree, made: Math.min(tree.count, most) }));
  }

  /** The first tree in each directory. */
  #roots(): readonly FileTree[] {
    return this.#trees.filter(({ root }, index) => root !== this.#trees[index - 1]?.root);
  }

  async #removeDirectories(dataset: TreeDataset): Promise<readonly SystemError[]> {
    if (!this.#made.has(dataset)) return [];
    const failures: SystemError[] = [];
    const noteAt = notesIn(failures);
    const order = ORDERS[dataset];
    for (const tree of this.#roots()) {
      const root = rootOf(tree, order);
      await this.#inside(root, async (place) => {
        const below = (file: string) => path.join(place, path.basename(file));
        for (const directory of directoriesOf(tree, order))
          if (directory !== root) await removeEmptyDirectory(below(directory)).catch(noteAt(directory));
        const target = linkTargetOf(tree, order);
        if (tree.kind !== 'files') await removeFile(below(target)).catch(noteAt(target));
      }).catch(noteAt(root));
      await removeEmptyDirectory(root).catch(noteAt(root));
    }
    return failures;
  }

  /**
   * Passes `act` the path under which to find the entries of a directory. In what a dead process left, each directory is
   * opened in the one before, as whoever wrote or serves that disk may have replaced one by a link.
   */
  async #inside(directory: string, act: (root: string) => Promise<void>): Promise<void> {
    if (!this.#found) return act(directory);
    await inside(this.#found, path.relative(this.#found.root, directory).split(path.sep), act);
  }
}

async function inside(
  directory: DirectoryHandle,
  [name, ...deeper]: readonly string[],
  act: (root: string) => Promise<void>,
): Promise<void> {
  if (name === undefined) return act(directory.root);
  const next = await directory.enter(name);
  await next.use(() => inside(next, deeper, act));
}

/** Collects failures under the path that people know. A missing file is no failure. */
function notesIn(failures: SystemError[]) {
  return (place: string) => unlessMissing((error) => failures.push(Object.assign(error, { path: place })));
}

/** The files of a batch are in one directory. */
function* inBatches(files: Iterable<SmallFile>): Generator<readonly SmallFile[]> {
  let batch: SmallFile[] = [];
  for (const file of files) {
    const isOther = batch.length > 0 && batch[0]?.directory !== file.directory;
    if (isOther || batch.length === BATCH) {
      yield batch;
      batch = [];
    }
    batch.push(file);
  }
  if (batch.length > 0) yield batch;
}
