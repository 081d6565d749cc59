import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, readlink, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { NO_FOLLOW } from '../../../workers/protocol.js';
import { hasCode } from '../../system-error.js';
import { canOpenThrough, foreignLink, openToGoThrough, pathThrough, resolveDirectory } from './resolve.js';
import { givenAway, isByUs, isOurs, isOwn, isWritableByOthers, openToOthers } from './trust.js';

const OPEN_DIRECTORY = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | NO_FOLLOW;
/** What servers say of a directory that is open here and was removed. */
const GONE = ['ENOENT', 'ESTALE'];
/** Somebody may rename it between two calls, but not forever. */
const MAX_ATTEMPTS = 100;

/**
 * A directory in which to make, find and remove things. Where other users could rename it and put a link in its place,
 * it is kept open, and everything in it is found through the open directory.
 */
export class DirectoryHandle {
  /** As people name it. */
  readonly path: string;
  /** With all links followed. */
  readonly resolved: string;
  /** What to put before the name of anything in it. */
  readonly root: string;
  readonly #handle: FileHandle | null;

  private constructor(directory: string, resolved: string, handle: FileHandle | null) {
    this.path = directory;
    this.resolved = resolved;
    this.root = handle ? pathThrough(handle) : resolved;
    this.#handle = handle;
  }

  /** A directory that exists, whoever owns it. */
  static async open(directory: string): Promise<DirectoryHandle> {
    const resolved = await resolveDirectory(directory);
    return new DirectoryHandle(directory, resolved.path, resolved.handle);
  }

  /** Whether it is kept open, as other users could rename it. */
  get isOpen(): boolean {
    return this.#handle !== null;
  }

  /** Closes it after `act`. */
  async use<Result>(act: (directory: this) => Promise<Result>): Promise<Result> {
    try {
      return await act(this);
    } finally {
      await this.close();
    }
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }

  /** A path below `root`, as people name it. */
  named(file: string): string {
    return file.startsWith(this.root) ? this.path + file.slice(this.root.length) : file;
  }

  /** Its inode number. Behind a name, the dot leads into an open directory. */
  async inode(): Promise<string> {
    return String((await stat(`${this.root}/.`, { bigint: true })).ino);
  }

  /** The target of a link in it; null if it is not a link. Refuses one that somebody else could have made. */
  async linkAt(name: string): Promise<string | null> {
    const place = path.join(this.root, name);
    const found = await lstat(place).catch(() => null);
    if (!found?.isSymbolicLink()) return null;
    if (this.isOpen || !isByUs(found)) throw foreignLink(path.join(this.path, name));
    return readlink(place);
  }

  /** Makes a directory in it. Fails when anything is there already, a link as well. */
  async make(name: string, mode: number): Promise<DirectoryHandle> {
    const place = path.join(this.root, name);
    await mkdir(place, mode);
    try {
      if (!this.isOpen && isOurs(await lstat(place))) return this.#notOpened(name);
      return await this.#openIn(name, async (found, root) => {
        if (!isOwn(found)) throw (await givenAway(this)) ?? replaced();
        if (isWritableByOthers(found)) throw openToOthers(this);
        if ((await readdir(root)).length > 0) throw replaced();
      });
    } catch (error) {
      await rmdir(place).catch(() => {});
      throw error;
    }
  }

  /** A directory in it that was made for this user alone. Always kept open, as another process may be removing it. */
  async enter(name: string): Promise<DirectoryHandle> {
    return this.#openIn(name, async (found) => {
      if (!isOwn(found)) throw replaced();
      if (isWritableByOthers(found)) throw new Error('other users can write to it');
    });
  }

  /** The directory that it is in, wherever it has been moved. */
  async parent(): Promise<DirectoryHandle> {
    const [parent, resolved] = [path.dirname(this.path), path.dirname(this.resolved)];
    const handle = this.#handle && (await openToGoThrough(`${this.root}/..`, resolved));
    return new DirectoryHandle(parent, resolved, handle);
  }

  /** Removes the directory itself, which has to be empty. If open, under its present name: its path may lead elsewhere. */
  async removeDirectory(): Promise<void> {
    if (!this.#handle) return rmdir(this.root);
    let failure: Error = replaced();
    for (let left = MAX_ATTEMPTS; !(await isRemoved(this.#handle)); left--) {
      if (left === 0) throw failure;
      const place = await readlink(this.root, 'buffer');
      const name = place.subarray(place.lastIndexOf(path.sep) + 1);
      await rmdir(Buffer.concat([Buffer.from(`${this.root}/../`), name])).catch((error: Error) => {
        failure = error;
      });
    }
  }

  #notOpened(name: string): DirectoryHandle {
    return new DirectoryHandle(path.join(this.path, name), path.join(this.resolved, name), null);
  }

  /** Judges what it has opened, as something else may have taken the place of what was there a moment ago. */
  async #openIn(
    name: string,
    judge: (found: Stats, root: string) => Promise<void>,
  ): Promise<DirectoryHandle> {
    if (process.geteuid === undefined) return this.#notOpened(name);
    const handle = await open(path.join(this.root, name), OPEN_DIRECTORY);
    try {
      const found = await handle.stat();
      const isOpen = canOpenThrough();
      await judge(found, isOpen ? pathThrough(handle) : path.join(this.root, name));
      if (isOpen)
        return new DirectoryHandle(path.join(this.path, name), path.join(this.resolved, name), handle);
    } catch (error) {
      await handle.close();
      throw error;
    }
    // On Linux this is reached only where nobody else can change the directory that it is in.
    await handle.close();
    return this.#notOpened(name);
  }
}

/** Its name does not tell: the kernel adds " (deleted)" to it, and a directory may be called so. */
async function isRemoved(handle: FileHandle): Promise<boolean> {
  try {
    return (await handle.stat()).nlink === 0;
  } catch (error) {
    if (hasCode(error, ...GONE)) return true;
    throw error;
  }
}

function replaced(): Error {
  return new Error('another directory was put in its place');
}
