import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, readlink, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { NO_FOLLOW } from '../../../workers/protocol.js';
import { leadsThrough, rootThrough } from './descriptor.js';
import { isOwn } from './own-file.js';
import { givenAway, openToOthers } from './ownership.js';
import { foreignLink, pass, wayTo } from './resolve.js';
import { isByUs, isOurs, isWritableByOthers } from './trust.js';

const OPEN_DIRECTORY = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | NO_FOLLOW;
/** What servers say of what is open and removed. */
const GONE = ['ENOENT', 'ESTALE'];
/** Somebody may rename it in the moment between two calls, but not for ever. */
const ATTEMPTS = 100;

/**
 * The way to what is in a directory. Where others could rename it and put a link in its place, it is held open, and
 * what is in it is reached through the open directory, wherever that may be by then.
 */
export class Hold {
  /** As people know it. */
  readonly path: string;
  /** Without a link in it. */
  readonly resolved: string;
  /** What goes before the name of anything in it. */
  readonly root: string;
  readonly #handle: FileHandle | null;

  private constructor(directory: string, resolved: string, handle: FileHandle | null) {
    this.path = directory;
    this.resolved = resolved;
    this.root = handle ? rootThrough(handle) : resolved;
    this.#handle = handle;
  }

  /** Takes one that is there, whoever it belongs to. */
  static async reach(directory: string): Promise<Hold> {
    const { resolved, handle } = await wayTo(directory);
    return new Hold(directory, resolved, handle);
  }

  get isHeld(): boolean {
    return this.#handle !== null;
  }

  /** Where the file is, in words for people. */
  named(file: string): string {
    return file.startsWith(this.root) ? this.path + file.slice(this.root.length) : file;
  }

  /** Where a link in it leads; null for what is none. Refuses one that somebody else could have put there. */
  async linkAt(name: string): Promise<string | null> {
    const place = path.join(this.root, name);
    const found = await lstat(place).catch(() => null);
    if (!found?.isSymbolicLink()) return null;
    if (this.isHeld || !isByUs(found)) throw foreignLink(path.join(this.path, name));
    return readlink(place);
  }

  /** Makes a directory in it. Whatever is there already, a link too, makes this fail. */
  async make(name: string, mode: number): Promise<Hold> {
    const place = path.join(this.root, name);
    await mkdir(place, mode);
    try {
      if (!this.isHeld && isOurs(await lstat(place))) return this.#unheld(name);
      return await this.#open(name, async (found, root) => {
        if (!isOwn(found)) throw (await givenAway(this)) ?? replaced();
        if (isWritableByOthers(found)) throw openToOthers(this);
        if ((await readdir(root)).length > 0) throw replaced();
      });
    } catch (error) {
      await rmdir(place).catch(() => {});
      throw error;
    }
  }

  /** Takes one in it that was made for this user alone. It is always held: another process may be about to remove it. */
  async enter(name: string): Promise<Hold> {
    return this.#open(name, async (found) => {
      if (!isOwn(found)) throw replaced();
      if (isWritableByOthers(found)) throw new Error('others may write to it by now');
    });
  }

  /** The one that it is in, wherever that is by now. */
  async above(): Promise<Hold> {
    const [above, resolved] = [path.dirname(this.path), path.dirname(this.resolved)];
    return new Hold(above, resolved, this.#handle && (await pass(`${this.root}/..`, resolved)));
  }

  /**
   * Removes the directory itself, which has to be empty, under the name that it has by now. Where that is looked up
   * follows from the open directory: a path could by now lead to another's.
   */
  async removeDirectory(): Promise<void> {
    if (!this.#handle) return rmdir(this.root);
    let failure: Error = replaced();
    for (let left = ATTEMPTS; !(await isGone(this.#handle)); left--) {
      if (left === 0) throw failure;
      const place = await readlink(this.root, 'buffer');
      const name = place.subarray(place.lastIndexOf(path.sep) + 1);
      await rmdir(Buffer.concat([Buffer.from(`${this.root}/../`), name])).catch((error: Error) => {
        failure = error;
      });
    }
  }

  async release(): Promise<void> {
    await this.#handle?.close();
  }

  #unheld(name: string): Hold {
    return new Hold(path.join(this.path, name), path.join(this.resolved, name), null);
  }

  /** What was there a moment ago may have been taken away, and something else be there. */
  async #open(name: string, refuse: (found: Stats, root: string) => Promise<void>): Promise<Hold> {
    if (process.geteuid === undefined) return this.#unheld(name);
    const handle = await open(path.join(this.root, name), OPEN_DIRECTORY);
    try {
      const found = await handle.stat();
      const isHeld = leadsThrough();
      await refuse(found, isHeld ? rootThrough(handle) : path.join(this.root, name));
      if (isHeld) return new Hold(path.join(this.path, name), path.join(this.resolved, name), handle);
    } catch (error) {
      await handle.close();
      throw error;
    }
    // Nothing leads through it. Where others could change the one that it is in, Linux has refused that before.
    await handle.close();
    return this.#unheld(name);
  }
}

/** Whether the directory is removed. Its name does not tell: anything may be called as the kernel calls what is. */
async function isGone(handle: FileHandle): Promise<boolean> {
  try {
    return (await handle.stat()).nlink === 0;
  } catch (error) {
    if (GONE.includes((error as NodeJS.ErrnoException).code ?? '')) return true;
    throw error;
  }
}

function replaced(): Error {
  return new Error('somebody has put another directory in its place');
}
