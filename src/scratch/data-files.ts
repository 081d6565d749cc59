import { unlink } from 'node:fs/promises';
import path from 'node:path';
import type { Dataset } from '../../workers/phases/phase.js';
import type { FileTree } from '../../workers/protocol.js';
import { dataFileName, treeName } from '../plan/files.js';
import type { Contents } from './marker.js';
import type { MarkerFile } from './marker-file.js';
import type { Hold } from './safe-path/directory-handle.js';
import { makeFile, unlessMissing } from './safe-path/own-file.js';
import { Forest } from './small-files.js';

/** What a run has in its scratch directory: it is made and removed by its names, and nothing else ever is. */
export class Belongings {
  /** The paths of the files that hold the slices. */
  readonly files: readonly string[];
  readonly trees: readonly FileTree[];
  readonly #marker: MarkerFile;
  readonly #forest: Forest;

  private constructor(root: string, files: number, forest: Forest, marker: MarkerFile) {
    this.files = Array.from({ length: files }, (_, index) => path.join(root, dataFileName(index)));
    this.trees = forest.trees;
    this.#marker = marker;
    this.#forest = forest;
  }

  /** Those of a run that has made nothing yet. */
  static planned({ root }: Hold, marker: MarkerFile): Belongings {
    const { files, trees, seed } = marker.marker;
    return new Belongings(root, files, Forest.planned(treesIn(root, trees), seed), marker);
  }

  /** Those of a process that is gone. */
  static found(hold: Hold, marker: MarkerFile): Belongings {
    const { files, trees, seed, planted } = marker.marker;
    const forest = Forest.found(treesIn(hold.root, trees), seed, planted, hold);
    return new Belongings(hold.root, files, forest, marker);
  }

  /** Removes what there is of it; gives what failed. */
  clear(dataset: Dataset): Promise<readonly NodeJS.ErrnoException[]> {
    return dataset === 'data' ? this.#unlinkAll() : this.#forest.clear(dataset);
  }

  /** Empty files or trees. */
  async make(dataset: Dataset, run: number): Promise<void> {
    if (dataset === 'data') {
      for (const file of this.files) await makeFile(file);
    } else {
      await this.#marker.notePlanted(dataset, run);
      await this.#forest.plant(dataset, run);
    }
  }

  /** A phase has taken away all files of its dataset. */
  forget(dataset: Dataset): void {
    if (dataset !== 'data') this.#forest.forget(dataset);
  }

  /** Gives what failed. */
  async remove(): Promise<readonly NodeJS.ErrnoException[]> {
    return [...(await this.#unlinkAll()), ...(await this.#forest.fell())];
  }

  /** Tries every file, so that one that stays does not keep the others' space; gives what failed. */
  async #unlinkAll(): Promise<readonly NodeJS.ErrnoException[]> {
    const failures: NodeJS.ErrnoException[] = [];
    for (const file of this.files) await unlink(file).catch(unlessMissing((error) => failures.push(error)));
    return failures;
  }
}

function treesIn(root: string, shapes: Contents['trees']): readonly FileTree[] {
  return shapes.map((shape, index) => ({ ...shape, root: path.join(root, treeName(index)) }));
}
