import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  generateFiles,
  linkTarget,
  type NameOrder,
  type SmallFile,
  treeDirectories,
  treeRoot,
} from '../../workers/files/file-tree.js';
import type { FileTree } from '../../workers/protocol.js';
import { assignFileNumbers } from '../plan/files.js';
import { hasCode, type SystemError } from '../system-error.js';
import type { ScratchContents, TreeDataset } from './marker.js';
import type { DirectoryHandle } from './safe-path/directory-handle.js';
import { createOwnFile, ignoreMissing } from './safe-path/own-file.js';
import { removeEmptyDirectory, removeFile } from './safe-path/retry.js';

const NAME_ORDERS = { tree: 'numeric', 'random-tree': 'random' } as const satisfies Record<
  TreeDataset,
  NameOrder
>;
const DATASETS = ['tree', 'random-tree'] as const satisfies readonly TreeDataset[];

/** Number of files to remove at once. One by one, a million files would take minutes. */
const BATCH_FILES = 256;
/** Access for this user alone. */
const MODE = 0o700;
/** Maximum time for other ranks to stop. */
const OTHER_RANKS_STOP_MS = 3000;
const REMOVAL_RETRY_MS = 50;

/** The directory trees for the workers' small files. All names follow from the seed and the run. */
export class SmallFiles {
  readonly #trees: readonly FileTree[];
  readonly #singleDirectory: boolean;
  readonly #seed: number;
  readonly #leftoverDirectory: DirectoryHandle | null;
  /** The run whose files may exist. */
  readonly #runs: { [dataset in TreeDataset]?: number };
  /** The datasets whose directories may exist. */
  readonly #createdDatasets: Set<TreeDataset>;
  /** Maximum number of files in each tree, if --stonewall stopped their creation. */
  readonly #maxPerTree: { [dataset in TreeDataset]?: number } = {};
  #removedCount = 0;

  /** With `leftoverDirectory`, for the files that a dead process may have left in that directory. */
  constructor(root: string, contents: ScratchContents, leftoverDirectory: DirectoryHandle | null) {
    this.#trees = assignFileNumbers(contents.trees, contents.singleDirectory ?? false).map((tree) => ({
      ...tree,
      root: path.join(root, tree.root),
    }));
    this.#singleDirectory = contents.singleDirectory ?? false;
    this.#seed = contents.seed;
    this.#leftoverDirectory = leftoverDirectory;
    this.#runs = { ...contents.smallFileRuns };
    this.#createdDatasets = new Set(leftoverDirectory ? DATASETS : []);
  }

  /** Creates the directories for a run's files, and the target of its links. */
  async create(dataset: TreeDataset, run: number): Promise<void> {
    this.#runs[dataset] = run;
    delete this.#maxPerTree[dataset];
    if (this.#createdDatasets.has(dataset)) return;
    this.#createdDatasets.add(dataset);
    const order = NAME_ORDERS[dataset];
    for (const tree of this.#roots()) {
      const root = treeRoot(tree, order);
      await mkdir(root, MODE);
      if (tree.kind !== 'files') await createOwnFile(linkTarget(tree, order));
      for (const directory of treeDirectories(tree, order))
        if (directory !== root) await mkdir(directory, MODE);
    }
  }

  /** Number of files removed so far, or already gone. */
  get removedCount(): number {
    return this.#removedCount;
  }

  /** Call after --stonewall has stopped the phase that creates the files: each tree has at most this many files. */
  recordCreatedCount(dataset: TreeDataset, maxPerTree: number): void {
    this.#maxPerTree[dataset] = maxPerTree;
  }

  /** Call after a phase has deleted all files. */
  markDeleted(dataset: TreeDataset): void {
    delete this.#runs[dataset];
  }

  /** Removes the files and returns the failures. */
  async clear(dataset: TreeDataset): Promise<readonly SystemError[]> {
    const run = this.#runs[dataset];
    if (run === undefined) return [];
    const failures: SystemError[] = [];
    const collectAt = failureCollector(failures);
    for (const tree of this.#treesOf(dataset)) {
      for (const batch of batchByDirectory(
        generateFiles(tree, NAME_ORDERS[dataset], [this.#seed, run, tree.index]),
      )) {
        const directory = batch[0]?.directory ?? '';
        await this.#withDirectory(directory, async (root) => {
          const remove = async ({ path: file }: SmallFile) => {
            await removeFile(path.join(root, path.basename(file))).catch(collectAt(file));
            this.#removedCount += 1;
          };
          await Promise.all(batch.map(remove));
        }).catch(collectAt(directory));
      }
    }
    // If files remain, remove() tries again.
    if (failures.length === 0) this.markDeleted(dataset);
    return failures;
  }

  /**
   * Removes everything and returns the failures. Retries in a shared directory, because after a signal another rank may
   * still create a file there.
   */
  async remove(): Promise<readonly SystemError[]> {
    const end = performance.now() + OTHER_RANKS_STOP_MS;
    for (;;) {
      const runs = { ...this.#runs };
      const failures = await this.#removeOnce();
      const isTransient = this.#singleDirectory && failures.some((failure) => hasCode(failure, 'ENOTEMPTY'));
      if (!isTransient || performance.now() > end) return failures;
      Object.assign(this.#runs, runs);
      await setTimeout(REMOVAL_RETRY_MS);
    }
  }

  async #removeOnce(): Promise<readonly SystemError[]> {
    const failures: SystemError[] = [];
    for (const dataset of DATASETS)
      failures.push(...(await this.clear(dataset)), ...(await this.#removeDirectories(dataset)));
    return failures;
  }

  #treesOf(dataset: TreeDataset): readonly FileTree[] {
    const maxPerTree = this.#maxPerTree[dataset] ?? Number.POSITIVE_INFINITY;
    return this.#trees.map((tree) => ({ ...tree, createdCount: Math.min(tree.count, maxPerTree) }));
  }

  /** Returns the first tree in each directory. */
  #roots(): readonly FileTree[] {
    return this.#trees.filter(({ root }, index) => root !== this.#trees[index - 1]?.root);
  }

  async #removeDirectories(dataset: TreeDataset): Promise<readonly SystemError[]> {
    if (!this.#createdDatasets.has(dataset)) return [];
    const failures: SystemError[] = [];
    const collectAt = failureCollector(failures);
    const order = NAME_ORDERS[dataset];
    for (const tree of this.#roots()) {
      const root = treeRoot(tree, order);
      await this.#withDirectory(root, async (base) => {
        const below = (file: string) => path.join(base, path.basename(file));
        for (const directory of treeDirectories(tree, order))
          if (directory !== root) await removeEmptyDirectory(below(directory)).catch(collectAt(directory));
        const target = linkTarget(tree, order);
        if (tree.kind !== 'files') await removeFile(below(target)).catch(collectAt(target));
      }).catch(collectAt(root));
      await removeEmptyDirectory(root).catch(collectAt(root));
    }
    return failures;
  }

  /**
   * Passes `act` the path under which to find a directory's entries. For leftovers, opens each directory relative to
   * its parent, because whoever wrote or serves that disk may have replaced a directory with a link.
   */
  async #withDirectory(directory: string, act: (root: string) => Promise<void>): Promise<void> {
    if (!this.#leftoverDirectory) return act(directory);
    await withDescendant(
      this.#leftoverDirectory,
      path.relative(this.#leftoverDirectory.root, directory).split(path.sep),
      act,
    );
  }
}

async function withDescendant(
  directory: DirectoryHandle,
  [name, ...deeper]: readonly string[],
  act: (root: string) => Promise<void>,
): Promise<void> {
  if (name === undefined) return act(directory.root);
  const next = await directory.enter(name);
  await next.use(() => withDescendant(next, deeper, act));
}

/** Collects failures under the path for messages. A missing file is not a failure. */
function failureCollector(failures: SystemError[]) {
  return (path: string) => ignoreMissing((error) => failures.push(Object.assign(error, { path })));
}

/** Yields batches of files that are in the same directory. */
function* batchByDirectory(files: Iterable<SmallFile>): Generator<readonly SmallFile[]> {
  let batch: SmallFile[] = [];
  for (const file of files) {
    const isOther = batch.length > 0 && batch[0]?.directory !== file.directory;
    if (isOther || batch.length === BATCH_FILES) {
      yield batch;
      batch = [];
    }
    batch.push(file);
  }
  if (batch.length > 0) yield batch;
}
