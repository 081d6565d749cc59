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

/** Why a directory above stays or needs no removal: something else is in it, or it is gone. */
const STAYS_OR_GONE = ['ENOTEMPTY', 'EEXIST', 'ENOENT'];

/** A scratch directory and its contents. Everything is made and removed by the names that follow from the marker. */
export class ScratchFiles {
  /** The files that hold the slices. */
  readonly files: readonly string[];
  readonly #directory: DirectoryHandle;
  readonly #marker: MarkerFile;
  readonly #smallFiles: SmallFiles;

  /** That of a run which has made only the marker so far, or that of a dead process. */
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

  /** To be called after a phase has removed all files of a dataset. */
  forget(dataset: Dataset): void {
    if (dataset !== 'data') this.#smallFiles.forget(dataset);
  }

  /** Removes the files of a dataset and returns the failures. */
  clear(dataset: Dataset): Promise<readonly SystemError[]> {
    return dataset === 'data' ? this.#removeData() : this.#smallFiles.clear(dataset);
  }

  /** Removes everything, with the directory and those above that were made for it, and returns the failures. */
  async remove(): Promise<readonly SystemError[]> {
    const failures = [...(await this.#removeData()), ...(await this.#smallFiles.remove())];
    // If anything is left, the marker has to stay and say whose it is.
    if (failures.length > 0) return failures;
    return this.#removeDirectory().then(
      () => [],
      (error: SystemError) => [error],
    );
  }

  /** Goes on after a failure, so that the other files free their space. */
  async #removeData(): Promise<readonly SystemError[]> {
    const failures: SystemError[] = [];
    for (const file of this.files) await unlink(file).catch(unlessMissing((error) => failures.push(error)));
    return failures;
  }

  /** The marker goes last, when everything needed after it is open, and is written again if the directory stays. */
  async #removeDirectory(): Promise<void> {
    const parent = await this.#directory.parent();
    await parent.use(async () => {
      const wasThere = await this.#marker.remove();
      try {
        // Fails with ENOENT if it was moved or unmounted with everything in it.
        await this.#directory.removeDirectory();
      } catch (error) {
        if (wasThere) await this.#marker.write().catch(() => {});
        throw error;
      }
      await removeUpwards(parent, this.#marker.marker.madeParents);
    });
  }
}

/** Removes the directories that were made if they are empty, but none that the scratch directory was moved into. */
async function removeUpwards(directory: DirectoryHandle, [made, ...above]: readonly string[]): Promise<void> {
  if (made === undefined) return;
  const parent = await directory.parent();
  await parent.use(async () => {
    try {
      if ((await directory.inode()) !== made) return;
      await directory.removeDirectory();
    } catch (error) {
      if (hasCode(error, ...STAYS_OR_GONE)) return;
      throw error;
    }
    await removeUpwards(parent, above);
  });
}
