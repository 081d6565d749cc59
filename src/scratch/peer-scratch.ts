import path from 'node:path';
import type { Assignment } from '../../workers/protocol.js';
import { dataFilePaths } from './data-files.js';
import { DirectoryHandle } from './safe-path/directory-handle.js';
import { SCRATCH_NAME } from './scratch-name.js';

/** Where a phase finds its files. */
export interface FileLocation {
  /** The files that hold the data. */
  readonly files: readonly string[];
  /** What a worker is assigned, with the paths of its files. */
  resolvePaths(assignment: Assignment): Assignment;
  /** The path of a file, as people name it. */
  displayPath(file: string): string;
}

/** What a worker is assigned, in this directory. */
export function resolvePathsIn(root: string, { slices, tree }: Assignment): Assignment {
  return {
    slices: slices.map((slice) => ({ ...slice, file: path.join(root, slice.file) })),
    tree: tree && { ...tree, root: path.join(root, tree.root) },
  };
}

/** The temporary directory of another rank of a job, which makes and removes everything in it. */
export class PeerScratch implements FileLocation {
  readonly files: readonly string[];
  readonly #directory: DirectoryHandle;

  private constructor(directory: DirectoryHandle, files: number) {
    this.#directory = directory;
    this.files = dataFilePaths(directory.root, files);
  }

  /** Null if this process does not see it. The other rank has sent the name. */
  static async find(directory: string, name: string, files: number): Promise<PeerScratch | null> {
    if (!SCRATCH_NAME.test(name)) return null;
    try {
      const parent = await DirectoryHandle.open(directory);
      return await parent.use(async () => new PeerScratch(await parent.find(name), files));
    } catch {
      return null;
    }
  }

  readonly resolvePaths = (assigned: Assignment): Assignment =>
    resolvePathsIn(this.#directory.root, assigned);

  readonly displayPath = (file: string): string => this.#directory.displayPath(file);

  async close(): Promise<void> {
    await this.#directory.close();
  }
}
