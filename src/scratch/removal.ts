import type { Dirent } from 'node:fs';
import { chmod, lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { TREE_DIRECTORY_NAME, TREE_FILE_NAME } from '../../workers/files/file-tree.js';
import { readMountInfo } from '../machine/mount.js';
import { TOOL_DIRECTORY_NAME } from '../plan/files.js';
import { findSystemError, hasCode, nullIfMissing, type SystemError } from '../system-error.js';
import { COMMAND_DIRECTORY } from './file-location.js';
import { removeMarker, writeMarker } from './marker.js';
import {
  findOwnDirectory,
  isMoved,
  type OwnDirectory,
  removeDirectory,
  removeFile,
  retryWhileBusy,
} from './own-files.js';
import type { Owner } from './owner.js';
import { endProcesses } from './processes.js';

/** The names of the data files and of the trees of small files. */
const DATASET_NAMES = { data: /^bonnie\.\d+$/, tree: /^tree\.\d+$/, 'random-tree': /^tree\.\d+-random$/ };
/** Number of files to process at once. One by one, the removal of a million files would take minutes. */
const BATCH = 64;
/** The access that the owner needs to list and empty a directory. */
const OWNER_ACCESS = 0o700;

/**
 * Removes the files of a scratch directory. Continues after a failure, because the other files free their space, and
 * keeps the failure for `throwFirstFailure`.
 */
export class Removal {
  removedFiles = 0;
  readonly #scratch: OwnDirectory;
  readonly #failures: SystemError[] = [];

  constructor(scratch: OwnDirectory) {
    this.#scratch = scratch;
  }

  /** Removes the files and the directory. Throws the first failure at the end. */
  async removeAll(owner: Owner): Promise<void> {
    const { path: root } = this.#scratch;
    for (const dataset of ['data', 'tree', 'random-tree'] as const) await this.removeDataset(dataset);
    const names = await readdir(root);
    if (names.includes(COMMAND_DIRECTORY)) await endProcesses(root);
    for (const name of names.filter((one) => one === COMMAND_DIRECTORY || TOOL_DIRECTORY_NAME.test(one)))
      await this.removePrivateTree(name);
    // The remaining files need the marker, which names their owner.
    this.throwFirstFailure();
    await this.#throwIfMoved();
    // Remove the marker last. Write it again if the directory cannot be removed.
    const existed = await removeMarker(root);
    try {
      await removeDirectory(root);
    } catch (error) {
      if (existed) await writeMarker(root, owner).catch(() => {});
      throw error;
    }
  }

  /** Removes the files of a dataset. Keeps entries that gobonnie did not name. */
  async removeDataset(dataset: keyof typeof DATASET_NAMES): Promise<void> {
    await this.#throwIfMoved();
    const names = await readdir(this.#scratch.path);
    for (const name of names.filter((one) => DATASET_NAMES[dataset].test(one))) {
      await this.#throwIfMoved();
      const entry = path.join(this.#scratch.path, name);
      const removeOwnTree = () => findOwnDirectory(entry).then(() => this.#removeTree(entry, isTreeEntry));
      await this.#collectFailure(dataset === 'data' ? this.#removeFile(entry) : removeOwnTree());
    }
  }

  /**
   * Removes an entry of the scratch directory and all that is in it, whatever its names and modes, but follows no link
   * and enters no mount. Only this user can reach into a scratch directory, so end this user's processes in it first.
   */
  async removePrivateTree(name: string): Promise<void> {
    await this.#throwIfMoved();
    const root = path.join(this.#scratch.path, name);
    const stats = await nullIfMissing(lstat(root));
    if (stats === null) return;
    const mounts = (await readMountInfo()) ?? [];
    const mount = mounts.find((one) => `${one.path}/`.startsWith(`${root}/`));
    if (mount) throw new Error(`unmount ${mount.path} first`);
    await (stats.isDirectory() ? this.#removeTree(root, () => true) : this.#removeFile(root));
  }

  throwFirstFailure(): void {
    const [failure] = this.#failures.splice(0);
    if (failure) throw failure;
  }

  /** Another directory may be in its place, with files of the same names or copies on another disk. */
  async #throwIfMoved(): Promise<void> {
    if (await isMoved(this.#scratch)) throw findSystemError('ENOENT');
  }

  /** A missing file is not a failure. */
  async #collectFailure(removal: Promise<void>): Promise<void> {
    await nullIfMissing(removal).catch((error: SystemError) => {
      this.#failures.push(error);
    });
  }

  async #removeFile(file: string): Promise<void> {
    await removeFile(file);
    this.removedFiles += 1;
  }

  /** Removes a directory with the entries for which `isRemoved` is true. A link is an entry, and no directory. */
  async #removeTree(directory: string, isRemoved: (entry: Dirent) => boolean): Promise<void> {
    const { mode } = await lstat(directory);
    if ((mode & OWNER_ACCESS) !== OWNER_ACCESS) await chmod(directory, mode | OWNER_ACCESS);
    const removeEntry = (entry: Dirent) => {
      const child = path.join(directory, entry.name);
      return this.#collectFailure(
        entry.isDirectory() ? this.#removeTree(child, isRemoved) : this.#removeFile(child),
      );
    };
    const removeEntries = async () => {
      const entries = await readdir(directory, { withFileTypes: true });
      await inBatches(entries.filter(isRemoved), removeEntry);
    };
    await removeEntries();
    // Another rank, or a process that is about to end, may still create files.
    await retryWhileBusy(
      () => removeDirectory(directory),
      async (error) => {
        const removedBefore = this.removedFiles;
        if (hasCode(error, 'ENOTEMPTY')) await removeEntries();
        return this.removedFiles > removedBefore;
      },
    );
  }
}

function isTreeEntry(entry: Dirent): boolean {
  return (entry.isDirectory() ? TREE_DIRECTORY_NAME : TREE_FILE_NAME).test(entry.name);
}

export async function inBatches<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < items.length; start += BATCH)
    await Promise.all(items.slice(start, start + BATCH).map(act));
}
