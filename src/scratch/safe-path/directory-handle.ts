import { randomUUID } from 'node:crypto';
import { type BigIntStats, constants, type Stats } from 'node:fs';
import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  rmdir,
  stat,
  unlink,
} from 'node:fs/promises';
import path from 'node:path';
import { CREATE_NEW_FLAGS, NO_FOLLOW } from '../../../workers/protocol.js';
import { GobonnieError } from '../../errors.js';
import { hasCode } from '../../system-error.js';
import { display } from '../../text/escape.js';
import { isFileBusy, retryWhileBusy } from './own-file.js';
import { canLookUpThroughFd, fdPath, foreignLinkError, openForLookup, resolveDirectory } from './resolve.js';
import { isOwnedByUs, isOwnedByUsOrRoot, isWritableByOthers, isWritableOnlyByUsOrRoot } from './trust.js';

const OPEN_DIRECTORY = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | NO_FOLLOW;
/** Errors of file servers for an open directory that was removed. */
const GONE_CODES = ['ENOENT', 'ESTALE'];
/** Limits the attempts to remove a directory that another process keeps renaming. */
const MAX_ATTEMPTS = 100;
/** Names that FUSE and NFS give to a file that was removed while a process had it open. */
const OPEN_REMOVED_NAME = /^\.(fuse_hidden|nfs)/;

/** Identifies a directory, whatever its path. */
type Identity = Pick<BigIntStats, 'dev' | 'ino'>;

/**
 * A directory in which to create, find and remove entries. On Linux, a directory that gobonnie created remains open, and
 * so does one that other users could replace with a link. Its entries are then looked up through the open directory.
 */
export class DirectoryHandle {
  /** The path for messages. */
  readonly path: string;
  /** The path with all links resolved. */
  readonly resolved: string;
  /** The path under which to look up its entries. */
  readonly root: string;
  /** True if other users could rename it. */
  readonly isRenamable: boolean;
  readonly #handle: FileHandle | null;
  /** Null for a directory that was not opened through its parent. */
  readonly #identity: Identity | null;

  private constructor(
    directory: string,
    resolved: string,
    handle: FileHandle | null,
    isRenamable: boolean,
    identity: Identity | null = null,
  ) {
    this.path = directory;
    this.resolved = resolved;
    this.root = handle ? fdPath(handle) : resolved;
    this.isRenamable = isRenamable;
    this.#handle = handle;
    this.#identity = identity;
  }

  /** Opens an existing directory, whoever owns it. */
  static async open(directory: string): Promise<DirectoryHandle> {
    const { path: resolved, handle } = await resolveDirectory(directory);
    return new DirectoryHandle(directory, resolved, handle, handle !== null);
  }

  /** True if its entries are found even if it is moved, and never in another directory that takes its place. */
  get isOpen(): boolean {
    return this.#handle !== null;
  }

  /** The path under which to look up entries fast. Leads to another directory if this user replaces it. */
  get fastRoot(): string {
    return this.isRenamable ? this.root : this.resolved;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle?.close();
  }

  /** Turns a path below `root` into a path for messages. */
  displayPath(file: string): string {
    const root = [this.root, this.resolved].find((one) => file.startsWith(one));
    return root === undefined ? file : this.path + file.slice(root.length);
  }

  /** Returns the inode number. The dot makes stat follow the link in /proc that represents an open directory. */
  async inode(): Promise<string> {
    return String((await stat(`${this.root}/.`, { bigint: true })).ino);
  }

  /** True if other users can write to it although it was created for this user alone: some mounts ignore modes. */
  async canOthersWrite(): Promise<boolean> {
    if (process.geteuid === undefined) return false;
    const stats = await stat(`${this.root}/.`);
    // If the owner is unknown, everybody counts as the owner.
    return isWritableByOthers(stats) || stats.uid !== process.geteuid();
  }

  /** Returns the target of a link in it, or null for other entries. Rejects links that other users may have created. */
  async readLink(name: string): Promise<string | null> {
    const entryPath = path.join(this.root, name);
    const stats = await lstat(entryPath).catch(() => null);
    if (!stats?.isSymbolicLink()) return null;
    if (this.isRenamable || !isOwnedByUsOrRoot(stats)) throw foreignLinkError(path.join(this.path, name));
    return readlink(entryPath);
  }

  /** Creates a directory in it. Fails if anything of that name exists, even a link. */
  async create(name: string, mode: number): Promise<DirectoryHandle> {
    const entryPath = path.join(this.root, name);
    await mkdir(entryPath, mode);
    try {
      return await this.#openChild(name, async (stats, { root, isRenamable }) => {
        if (!isRenamable) return;
        if (!isOwnedByUs(stats)) throw foreignOwnerError(this, stats.uid);
        if (isWritableByOthers(stats) && !(await areNewFilesWritableByOthers(this))) throw replacedError();
        if ((await readdir(root)).length > 0) throw replacedError();
      });
    } catch (error) {
      await rmdir(entryPath).catch(() => {});
      throw error;
    }
  }

  /** Opens a directory in it that belongs to this user alone. Keeps it open, because another process may remove it. */
  async enter(name: string): Promise<DirectoryHandle> {
    return this.#openChild(name, async (stats) => {
      if (!isOwnedByUs(stats)) throw replacedError();
      if (isWritableByOthers(stats) && !(await areNewFilesWritableByOthers(this)))
        throw new Error('other users can write to it');
    });
  }

  /** Returns the directory that now contains it, even if it was moved. */
  async parent(): Promise<DirectoryHandle> {
    const resolved = path.dirname(this.resolved);
    const handle = this.#handle && (await openForLookup(`${this.root}/..`, resolved));
    return new DirectoryHandle(path.dirname(this.path), resolved, handle, this.isRenamable);
  }

  /** Returns its current path, even if it was moved. Null if that is unknown: it may be removed, unmounted or replaced. */
  async findPath(): Promise<string | null> {
    if (await this.#isAt(this.resolved)) return this.path;
    const current = this.#handle && (await readlink(this.root));
    return current && (await this.#isAt(current)) ? current : null;
  }

  /** True if its entries can no longer be found: it was removed or, unless it is open, moved. */
  async isGone(): Promise<boolean> {
    return this.#handle ? isRemoved(this.#handle) : !(await this.#isAt(this.resolved));
  }

  async #isAt(directory: string): Promise<boolean> {
    try {
      const { dev, ino } = await lstat(directory, { bigint: true });
      return dev === this.#identity?.dev && ino === this.#identity.ino;
    } catch (error) {
      if (hasCode(error, ...GONE_CODES, 'ENOTDIR')) return false;
      throw error;
    }
  }

  /** Removes the directory itself if it is empty. Retries while it holds only removed files that a process has open. */
  async removeDirectory(): Promise<void> {
    await retryWhileBusy(
      () => this.#removeNow(),
      async (error) =>
        isFileBusy(error) || (hasCode(error, 'ENOTEMPTY') && (await this.#hasOnlyRemovedFiles())),
    );
  }

  /** Removes an open directory under its current name, even if it was moved. */
  async #removeNow(): Promise<void> {
    if (!this.#handle) return rmdir(this.root);
    let failure: Error = replacedError();
    for (let attemptsLeft = MAX_ATTEMPTS; !(await isRemoved(this.#handle)); attemptsLeft--) {
      if (attemptsLeft === 0) throw failure;
      const currentPath = await readlink(this.root, 'buffer');
      const name = currentPath.subarray(currentPath.lastIndexOf(path.sep) + 1);
      await rmdir(Buffer.concat([Buffer.from(`${this.root}/../`), name])).catch((error: Error) => {
        // The caller checks the contents before it retries.
        if (hasCode(error, 'ENOTEMPTY')) throw error;
        failure = error;
      });
    }
  }

  /** True if it holds only removed files that a process has open, or none: the last may just have been closed. */
  async #hasOnlyRemovedFiles(): Promise<boolean> {
    const names = await readdir(this.root).catch(() => null);
    return names?.every((name) => OPEN_REMOVED_NAME.test(name)) ?? false;
  }

  /** Opens a directory before checking it, because another directory may just have replaced it. */
  async #openChild(
    name: string,
    check: (stats: Stats, child: DirectoryHandle) => Promise<void>,
  ): Promise<DirectoryHandle> {
    const entryPath = path.join(this.root, name);
    const childPath = path.join(this.path, name);
    const resolved = path.join(this.resolved, name);
    if (process.geteuid === undefined) {
      const identity = await lstat(entryPath, { bigint: true });
      if (!identity.isDirectory()) throw replacedError();
      return new DirectoryHandle(childPath, resolved, null, false, identity);
    }
    const handle = await open(entryPath, OPEN_DIRECTORY);
    try {
      const kept = canLookUpThroughFd() ? handle : null;
      const stats = await handle.stat();
      const identity = await handle.stat({ bigint: true });
      const isRenamable = this.isRenamable || !isWritableOnlyByUsOrRoot(stats);
      const child = new DirectoryHandle(childPath, resolved, kept, isRenamable, identity);
      await check(stats, child);
      // No usable /proc: then, on Linux, no other user can change the parent.
      if (!child.isOpen) await handle.close();
      return child;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }
}

/** Checks the link count, not the name: the kernel appends " (deleted)", but a directory may be named like that. */
async function isRemoved(handle: FileHandle): Promise<boolean> {
  try {
    return (await handle.stat()).nlink === 0;
  } catch (error) {
    if (hasCode(error, ...GONE_CODES)) return true;
    throw error;
  }
}

function replacedError(): Error {
  return new Error('another directory has replaced it');
}

function foreignOwnerError(directory: DirectoryHandle, uid: number): GobonnieError {
  return new GobonnieError(
    'directory-unusable',
    `directories created in ${display(directory.path)} belong to another user (uid ${uid}) because of its mount options`,
    'run gobonnie as a user who owns new files there, or measure another directory',
  );
}

/** True if a mount lets others write even to files that are created for this user alone. */
async function areNewFilesWritableByOthers({ root }: DirectoryHandle): Promise<boolean> {
  const probe = path.join(root, `.gobonnie-${randomUUID()}`);
  const handle = await open(probe, CREATE_NEW_FLAGS, 0o600).catch(() => null);
  if (!handle) return false;
  try {
    // Check the open file, because another file may have replaced it.
    return isWritableByOthers(await handle.stat());
  } finally {
    await unlink(probe).catch(() => {});
    await handle.close();
  }
}
