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
import type { FileTree } from '../../workers/protocol.js';
import { treeName } from '../plan/files.js';
import type { SystemError } from '../system-error.js';
import type { Contents, TreeDataset } from './marker.js';
import type { DirectoryHandle } from './safe-path/directory-handle.js';
import { makeFile, unlessMissing } from './safe-path/own-file.js';

const ORDERS = { tree: 'numeric', 'random-tree': 'random' } as const satisfies Record<TreeDataset, NameOrder>;
const DATASETS = ['tree', 'random-tree'] as const satisfies readonly TreeDataset[];

/** How many are removed at once: one by one, a million files would take minutes. */
const BATCH = 256;
/** For this user alone. */
const MODE = 0o700;

/** The trees of directories that workers put their small files into. All names follow from the seed and the run. */
export class SmallFiles {
  readonly trees: readonly FileTree[];
  readonly #seed: number;
  readonly #found: DirectoryHandle | null;
  /** The run whose files may be there. */
  readonly #runs = new Map<TreeDataset, number>();
  /** Whose directories may be there. */
  readonly #made: Set<TreeDataset>;

  /** With `found`, those that a dead process may have left there. */
  constructor(root: string, contents: Contents, found: DirectoryHandle | null) {
    this.trees = contents.trees.map((shape, index) => ({ ...shape, root: path.join(root, treeName(index)) }));
    this.#seed = contents.seed;
    this.#found = found;
    this.#made = new Set(found ? DATASETS : []);
    for (const dataset of DATASETS) {
      const run = contents.smallFilesOfRun[dataset];
      if (run !== undefined) this.#runs.set(dataset, run);
    }
  }

  /** Makes empty directories for the files of a run, and what its links point to. */
  async make(dataset: TreeDataset, run: number): Promise<void> {
    this.#runs.set(dataset, run);
    if (this.#made.has(dataset)) return;
    this.#made.add(dataset);
    const order = ORDERS[dataset];
    for (const tree of this.trees) {
      const root = rootOf(tree, order);
      await mkdir(root, MODE);
      if (tree.kind !== 'files') await makeFile(linkTargetOf(tree, order));
      for (const directory of directoriesOf(tree, order))
        if (directory !== root) await mkdir(directory, MODE);
    }
  }

  /** To be called when a phase has removed all files. */
  forget(dataset: TreeDataset): void {
    this.#runs.delete(dataset);
  }

  /** Removes the files; gives what failed. */
  async clear(dataset: TreeDataset): Promise<readonly SystemError[]> {
    const run = this.#runs.get(dataset);
    if (run === undefined) return [];
    const failures: SystemError[] = [];
    const noteAt = notesIn(failures);
    for (const [index, tree] of this.trees.entries()) {
      for (const batch of inBatches(filesOf(tree, ORDERS[dataset], [this.#seed, run, index]))) {
        const directory = batch[0]?.directory ?? '';
        await this.#inside(directory, async (root) => {
          const remove = ({ path: file }: SmallFile) =>
            unlink(path.join(root, path.basename(file))).catch(noteAt(file));
          await Promise.all(batch.map(remove));
        }).catch(noteAt(directory));
      }
    }
    // What is left is tried again when everything is removed.
    if (failures.length === 0) this.forget(dataset);
    return failures;
  }

  /** Removes everything; gives what failed. */
  async remove(): Promise<readonly SystemError[]> {
    const failures: SystemError[] = [];
    for (const dataset of DATASETS)
      failures.push(...(await this.clear(dataset)), ...(await this.#removeDirectories(dataset)));
    return failures;
  }

  async #removeDirectories(dataset: TreeDataset): Promise<readonly SystemError[]> {
    if (!this.#made.has(dataset)) return [];
    const failures: SystemError[] = [];
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
   * Gives `act` what to put before a name in the directory. What a dead process made may have been replaced by a link
   * since, by whoever wrote or serves that disk: each directory is opened in the one before.
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

/** Collects failures under the path that people know. What is missing has not failed. */
function notesIn(failures: SystemError[]) {
  return (place: string) => unlessMissing((error) => failures.push(Object.assign(error, { path: place })));
}

/** Each within one directory. */
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
