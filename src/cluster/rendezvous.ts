import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Leftover } from '../scratch/leftovers.js';
import { currentOwner, type Owner, whyPossiblyAlive } from '../scratch/owner.js';
import { DirectoryHandle } from '../scratch/safe-path/directory-handle.js';
import {
  isFileBusy,
  readOwnFile,
  removeFile,
  renameFile,
  retryWhileBusy,
} from '../scratch/safe-path/own-file.js';
import { isOwnedByUs } from '../scratch/safe-path/trust.js';
import { hasCode, nullIfMissing, type SystemError } from '../system-error.js';

const RENDEZVOUS_NAME = /^\.gobonnie-rendezvous\.(\d+)\.([\da-f-]{36})(\.removed)?$/;
const REMOVED_SUFFIX = '.removed';
export const LEFT = 'left';
/** The errors of a rename onto an existing directory; Windows returns EPERM. */
const TAKEN_CODES = ['ENOTEMPTY', 'EEXIST', 'EPERM'];

/**
 * A directory of one user, through which processes exchange texts:
 *
 *   .gobonnie-rendezvous.SIZE.ID    of a job of SIZE ranks
 *     rank.I/owner                  the process that has rank I
 *     NAME/I                        the text NAME that rank I has put
 *     left/I                        rank I has left
 *
 * There are no locks. A rank's directory is completed under another name and then renamed: a rename onto a directory
 * that is not empty fails, so only one of several processes gets the rank. A rendezvous is renamed before its files are
 * removed, so no process uses half of it: a method then throws ENOENT or finds nothing.
 */
export class Rendezvous {
  readonly path: string;
  readonly size: number;

  constructor(path: string, size: number) {
    this.path = path;
    this.size = size;
  }

  static async create(directory: string, size: number): Promise<Rendezvous> {
    const rendezvous = new Rendezvous(
      path.join(directory, `.gobonnie-rendezvous.${size}.${randomUUID()}`),
      size,
    );
    await mkdir(rendezvous.path, { mode: 0o700 });
    return rendezvous;
  }

  /** Returns this user's rendezvous in a directory, sorted by name. Completes removals that were interrupted. */
  static async list(directory: string): Promise<readonly Rendezvous[]> {
    const found: Rendezvous[] = [];
    for (const name of (await readdir(directory)).sort()) {
      const [, size, , removed] = RENDEZVOUS_NAME.exec(name) ?? [];
      if (size === undefined) continue;
      const rendezvous = path.join(directory, name);
      const stats = await lstat(rendezvous).catch(() => null);
      if (!stats?.isDirectory() || !isOwnedByUs(stats)) continue;
      if (removed === undefined) found.push(new Rendezvous(rendezvous, Number(size)));
      else await removeRendezvous(rendezvous);
    }
    return found;
  }

  /** Gives this process a rank. False if another process has it, or the rendezvous was removed. */
  async claimRank(rank: number): Promise<boolean> {
    const draft = path.join(this.path, `draft.${randomUUID()}`);
    try {
      await mkdir(draft, { mode: 0o700 });
      await writeFile(path.join(draft, 'owner'), JSON.stringify(currentOwner()), { mode: 0o600 });
      if (await renameIfFree(draft, this.#rankPath(rank))) return true;
      await rm(draft, { recursive: true, force: true });
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error;
    }
    return false;
  }

  /** Returns the number of processes that have ever joined. */
  async countRanks(): Promise<number> {
    return (await readdir(this.path)).filter((name) => name.startsWith('rank.')).length;
  }

  async putText(rank: number, name: string, text: string): Promise<void> {
    const draft = path.join(this.#rankPath(rank), `draft.${randomUUID()}`);
    await writeFile(draft, text, { flag: 'wx', mode: 0o600 });
    await mkdir(path.join(this.path, name), { mode: 0o700 }).catch((error: SystemError) => {
      if (!hasCode(error, 'EEXIST')) throw error;
    });
    await renameFile(draft, path.join(this.path, name, String(rank)));
  }

  /** Returns a text that a rank has put, or null. */
  getText(rank: number, name: string): Promise<string | null> {
    return readOwnFile(path.join(this.path, name, String(rank)));
  }

  /** Yields the processes that have joined, have not left, and are not certainly dead. */
  async *findPresent() {
    for (const name of (await nullIfMissing(readdir(this.path))) ?? []) {
      const [, rank] = /^rank\.(\d+)$/.exec(name) ?? [];
      const owner = rank === undefined ? null : await this.readPresentOwner(Number(rank));
      if (owner) yield { rank: Number(rank), owner };
    }
  }

  /** Returns the process that has a rank. Null if there is none, it has left, or it is certainly dead. */
  async readPresentOwner(rank: number): Promise<Owner | null> {
    if ((await this.getText(rank, LEFT)) !== null) return null;
    const text = await readOwnFile(path.join(this.#rankPath(rank), 'owner'));
    const owner = parseOwner(text ?? '');
    return owner && whyPossiblyAlive(owner) !== null ? owner : null;
  }

  #rankPath(rank: number): string {
    return path.join(this.path, `rank.${rank}`);
  }
}

/** False if `to` exists. On Windows, a file that is in use gives the same error. */
async function renameIfFree(from: string, to: string): Promise<boolean> {
  try {
    await retryWhileBusy(
      () => rename(from, to),
      (error) => isFileBusy(error) && !existsSync(to),
    );
    return true;
  } catch (error) {
    if (hasCode(error, ...TAKEN_CODES) && existsSync(to)) return false;
    throw error;
  }
}

/** Null if the machine crashed while the file was being written. Only this user can have written it. */
function parseOwner(text: string): Owner | null {
  try {
    return JSON.parse(text) as Owner;
  } catch {
    return null;
  }
}

/** Removes a rendezvous and its files. Several processes may do this at once. */
export async function removeRendezvous(rendezvous: string): Promise<void> {
  const name = path.basename(rendezvous);
  const removedName = name.endsWith(REMOVED_SUFFIX) ? name : `${name}${REMOVED_SUFFIX}`;
  await using parent = await DirectoryHandle.open(path.dirname(rendezvous));
  const removed = path.join(parent.root, removedName);
  // If another process has renamed it, both remove the files.
  if (name !== removedName) await nullIfMissing(renameFile(path.join(parent.root, name), removed));
  await nullIfMissing(removeTreeIn(parent, removedName));
}

/** Returns the rendezvous of jobs that are running, or were killed. */
export async function findRendezvous(directory: string, deadHost?: string): Promise<readonly Leftover[]> {
  await using parent = await DirectoryHandle.open(directory);
  const found: Leftover[] = [];
  for (const name of await readdir(parent.root)) {
    const [, size] = RENDEZVOUS_NAME.exec(name) ?? [];
    await using opened = size !== undefined ? await parent.enter(name).catch(() => null) : null;
    if (!opened) continue;
    let reason: string | null = null;
    for await (const { owner } of new Rendezvous(opened.root, Number(size)).findPresent())
      reason ??= whyPossiblyAlive(owner, deadHost);
    found.push({ path: parent.displayPath(path.join(parent.root, name)), reason });
  }
  return found;
}

/** Removes the rendezvous of jobs that were killed. Returns their paths. */
export async function removeStaleRendezvous(directory: string, deadHost?: string): Promise<string[]> {
  const stale = (await findRendezvous(directory, deadHost)).filter(({ reason }) => reason === null);
  for (const one of stale) await removeRendezvous(one.path);
  return stale.map((one) => one.path);
}

/** Opens each directory through its parent's handle, because other users may be able to replace it with a link. */
async function removeTreeIn(parent: DirectoryHandle, name: string): Promise<void> {
  await using directory = await parent.enter(name);
  for (const entry of await readdir(directory.root, { withFileTypes: true })) {
    const removal = entry.isDirectory()
      ? removeTreeIn(directory, entry.name)
      : removeFile(path.join(directory.root, entry.name));
    // Another process may be removing the same files.
    await nullIfMissing(removal);
  }
  await directory.removeDirectory();
}
