import { unlink } from 'node:fs/promises';
import path from 'node:path';
import type { Dataset } from '../../workers/phases/phase.js';
import type { FileTree } from '../../workers/protocol.js';
import { dataFileName } from '../plan/files.js';
import { hasCode, type SystemError } from '../system-error.js';
import type { MarkerFile } from './marker.js';
import type { DirectoryHandle } from './safe-path/directory-handle.js';
import { makeFile, unlessMissing } from './safe-path/own-file.js';
import { SmallFiles } from './small-files.js';

/** Says that a directory above is gone, or holds something of somebody else. */
const NOT_OURS_ALONE = ['ENOTEMPTY', 'EEXIST', 'ENOENT'];

/** A scratch directory and what is in it: made and removed by its names, and nothing else ever is. */
export class ScratchFiles {
  /** The files that hold the slices. */
  readonly files: readonly string[];
  readonly #directory: DirectoryHandle;
  readonly #marker: MarkerFile;
  readonly #smallFiles: SmallFiles;

  /** Of a run that has made nothing but the marker yet, or of a dead process. */
  constructor(directory: DirectoryHandle, marker: MarkerFile, by: 'run' | 'dead process') {
    const { root } = directory;
    const contents = marker.marker;
    this.files = Array.from({ length: contents.files }, (_, index) => path.join(root, dataFileName(index)));
    this.#directory = directory;
    this.#marker = marker;
    this.#smallFiles = new SmallFiles(root, contents, by === 'run' ? null : directory);
  }

  get trees(): readonly FileTree[] {
    return this.#smallFiles.trees;
  }

  /** Makes empty files or trees. */
  async make(dataset: Dataset, run: number): Promise<void> {
    if (dataset === 'data') {
      for (const file of this.files) await makeFile(file);
    } else {
      await this.#marker.noteSmallFiles(dataset, run);
      await this.#smallFiles.make(dataset, run);
    }
  }

  /** To be called when a phase has removed all files of a dataset. */
  forget(dataset: Dataset): void {
    if (dataset !== 'data') this.#smallFiles.forget(dataset);
  }

  /** Removes the files of a dataset; gives what failed. */
  clear(dataset: Dataset): Promise<readonly SystemError[]> {
    return dataset === 'data' ? this.#removeData() : this.#smallFiles.clear(dataset);
  }

  /** Removes everything, with the directory and those above that were made for it; gives what failed. */
  async remove(): Promise<readonly SystemError[]> {
    const failures = [...(await this.#removeData()), ...(await this.#smallFiles.remove())];
    // As long as anything is left, the marker says whose it is.
    if (failures.length > 0) return failures;
    return this.#removeDirectory().then(
      () => [],
      (error: SystemError) => [error],
    );
  }

  /** Tries every file, so that one that cannot be removed does not keep the space of the others. */
  async #removeData(): Promise<readonly SystemError[]> {
    const failures: SystemError[] = [];
    for (const file of this.files) await unlink(file).catch(unlessMissing((error) => failures.push(error)));
    return failures;
  }

  /** The marker goes last, once what the rest needs is open, and is written again if the directory stays. */
  async #removeDirectory(): Promise<void> {
    const parent = await this.#directory.parent();
    await parent.use(async () => {
      const wasThere = await this.#marker.remove();
      try {
        // Fails with ENOENT when it was moved or unmounted, with all that is in it.
        await this.#directory.removeDirectory();
      } catch (error) {
        if (wasThere) await this.#marker.write().catch(() => {});
        throw error;
      }
      await removeUpwards(parent, this.#marker.marker.madeParents);
    });
  }
}

/** Removes the empty directories that were made, and no other to which the scratch directory may have been moved. */
async function removeUpwards(directory: DirectoryHandle, [made, ...above]: readonly string[]): Promise<void> {
  if (made === undefined) return;
  const parent = await directory.parent();
  await parent.use(async () => {
    try {
      if ((await directory.inode()) !== made) return;
      await directory.removeDirectory();
    } catch (error) {
      if (hasCode(error, ...NOT_OURS_ALONE)) return;
      throw error;
    }
    await removeUpwards(parent, above);
  });
}
