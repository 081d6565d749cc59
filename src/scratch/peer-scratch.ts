import path from 'node:path';
import type { Dataset } from '../../workers/phases/phase.js';
import type { Assignment } from '../../workers/protocol.js';
import { dataFilePaths } from './data-files.js';
import { DirectoryHandle } from './safe-path/directory-handle.js';
import { movedError } from './scratch-errors.js';
import { SCRATCH_NAME } from './scratch-name.js';

/** Where a phase finds its files. */
export interface FileLocation {
  /** Paths of the data files. */
  readonly files: readonly string[];
  /** Returns a worker's assignment with the paths of its files in this directory. */
  resolvePaths(assignment: Assignment): Assignment;
  /** Returns a file's path for messages. */
  displayPath(file: string): string;
  /** Throws if a phase would use files in another directory, because this directory was moved. */
  checkPlace(dataset: Dataset): Promise<void>;
}

/** Returns a worker's assignment with paths in a directory. Its many small files need fast lookups. */
export function resolvePathsIn(
  { root, fastRoot }: Pick<DirectoryHandle, 'root' | 'fastRoot'>,
  { slices, tree }: Assignment,
): Assignment {
  return {
    slices: slices.map((slice) => ({ ...slice, file: path.join(root, slice.file) })),
    tree: tree && { ...tree, root: path.join(fastRoot, tree.root) },
  };
}

/** Checks the directory's path, unless the files of that dataset are found through the open directory. */
export async function checkPlaceOf(directory: DirectoryHandle, dataset: Dataset): Promise<void> {
  if (directory.isOpen && (dataset === 'data' || directory.isRenamable)) return;
  if (!(await directory.isInPlace())) throw movedError(directory.path, await directory.findPath());
}

/** The temporary directory of another rank of a job, which creates and removes everything in it. */
export class PeerScratch implements FileLocation {
  readonly files: readonly string[];
  readonly #directory: DirectoryHandle;

  private constructor(directory: DirectoryHandle, files: number) {
    this.#directory = directory;
    this.files = dataFilePaths(directory.root, files);
  }

  /** Returns null if this process cannot see the directory. Validates the name, because the other rank sent it. */
  static async find(directory: string, name: string, files: number): Promise<PeerScratch | null> {
    if (!SCRATCH_NAME.test(name)) return null;
    try {
      const parent = await DirectoryHandle.open(directory);
      return await parent.use(async () => new PeerScratch(await parent.enter(name), files));
    } catch {
      return null;
    }
  }

  readonly resolvePaths = (assigned: Assignment): Assignment => resolvePathsIn(this.#directory, assigned);

  readonly displayPath = (file: string): string => this.#directory.displayPath(file);

  checkPlace(dataset: Dataset): Promise<void> {
    return checkPlaceOf(this.#directory, dataset);
  }

  async close(): Promise<void> {
    await this.#directory.close();
  }
}
