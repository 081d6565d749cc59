import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { NO_FOLLOW } from '../../workers/protocol.js';
import { isOwn } from './own-file.js';
import { isTrusted } from './trust.js';

const OPEN_DIRECTORY = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | NO_FOLLOW;
const PERMISSIONS = 0o777;
const PRIVATE = 0o700;

/**
 * The way to what is in a directory of this user. Where others could rename it and put a link in its place, it is held
 * open, and what is in it is reached through the open directory, wherever that may be by then.
 */
export class Hold {
  /** As people know it. */
  readonly path: string;
  /** What goes before the name of anything in it. */
  readonly root: string;
  readonly #handle: FileHandle | null;

  private constructor(directory: string, root: string, handle: FileHandle | null) {
    this.path = directory;
    this.root = root;
    this.#handle = handle;
  }

  static async take(directory: string): Promise<Hold> {
    const parent = await realpath(path.dirname(directory));
    const resolved = path.join(parent, path.basename(directory));
    if (await isTrusted(parent)) return new Hold(directory, resolved, null);
    const handle = await open(directory, OPEN_DIRECTORY);
    try {
      await refuseOthers(handle);
      const root = `/proc/${process.pid}/fd/${handle.fd}`;
      if (await leadsTo(root, handle)) return new Hold(directory, root, handle);
    } catch (error) {
      await handle.close();
      throw error;
    }
    // Only Linux leads through an open directory.
    await handle.close();
    return new Hold(directory, resolved, null);
  }

  get isHeld(): boolean {
    return this.#handle !== null;
  }

  /** Where the file is, in words for people. */
  named(file: string): string {
    return file.startsWith(this.root) ? this.path + file.slice(this.root.length) : file;
  }

  /** Removes the directory itself, which has to be empty, under the name that it has by now. */
  async removeDirectory(): Promise<void> {
    await rmdir(this.#handle ? await readlink(this.root) : this.root);
  }

  async release(): Promise<void> {
    await this.#handle?.close();
  }
}

/** What was made a moment ago may have been taken away, and something else be there. */
async function refuseOthers(handle: FileHandle): Promise<void> {
  const found = await handle.stat();
  if (isOwn(found) && (found.mode & PERMISSIONS) === PRIVATE) return;
  throw new Error('somebody has put another directory in its place');
}

async function leadsTo(root: string, handle: FileHandle): Promise<boolean> {
  const { dev, ino } = await handle.stat({ bigint: true });
  const reached = await stat(`${root}/.`, { bigint: true }).catch(() => null);
  return reached?.dev === dev && reached.ino === ino;
}
