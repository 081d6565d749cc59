import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Leftover } from '../scratch/leftovers.js';
import { createOwnFile, isOwnedByUs, readOwnFile, renameFile } from '../scratch/own-files.js';
import { currentOwner, type Owner, whyPossiblyAlive } from '../scratch/owner.js';
import { hasCode, nullIfMissing, type SystemError } from '../system-error.js';
import { parseJsonObject } from '../text/json.js';

const RENDEZVOUS_NAME = /^\.gobonnie-rendezvous\.(\d+)\.([\da-f-]{36})(\.removed)?$/;
const REMOVED_SUFFIX = '.removed';
export const LEFT = 'left';
/** Retries with a growing delay, 5 s in all, while a virus scanner has a file open on Windows. */
const MAX_RETRIES = 10;

/**
 * A directory of one user, through which processes exchange texts:
 *
 *   .gobonnie-rendezvous.SIZE.ID    of a job of SIZE ranks
 *     rank.I/owner                  the process that has rank I
 *     NAME/I                        the text NAME that rank I has put
 *     left/I                        rank I has left
 *
 * There are no locks. Only one of several processes can create a rank's directory, so it gets the rank. A rendezvous is
 * renamed before its files are removed, so no process uses half of it: a method then throws ENOENT or finds nothing.
 */
export class Rendezvous {
  readonly path: string;
  readonly size: number;

  constructor(path: string, size: number) {
    this.path = path;
    this.size = size;
  }

  /** True if a process removes it, or was killed while it did. */
  get isRemoved(): boolean {
    return this.path.endsWith(REMOVED_SUFFIX);
  }

  static async create(directory: string, size: number): Promise<Rendezvous> {
    const rendezvous = new Rendezvous(
      path.join(directory, `.gobonnie-rendezvous.${size}.${randomUUID()}`),
      size,
    );
    await mkdir(rendezvous.path, { mode: 0o700 });
    return rendezvous;
  }

  /** Returns this user's rendezvous in a directory, sorted by name. */
  static async list(directory: string): Promise<readonly Rendezvous[]> {
    const found: Rendezvous[] = [];
    for (const name of (await readdir(directory)).sort()) {
      const [, size] = RENDEZVOUS_NAME.exec(name) ?? [];
      if (size === undefined) continue;
      const rendezvous = path.join(directory, name);
      const stats = await lstat(rendezvous).catch(() => null);
      if (stats?.isDirectory() && isOwnedByUs(stats)) found.push(new Rendezvous(rendezvous, Number(size)));
    }
    return found;
  }

  /** Gives this process a rank. False if another process has it, or the rendezvous was removed. */
  async claimRank(rank: number): Promise<boolean> {
    try {
      await mkdir(this.#rankPath(rank), { mode: 0o700 });
      await createOwnFile(path.join(this.#rankPath(rank), 'owner'), JSON.stringify(currentOwner()));
      return true;
    } catch (error) {
      if (!hasCode(error, 'EEXIST', 'ENOENT')) throw error;
      return false;
    }
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
    // Incomplete if the process was killed while it wrote the file. Only this user can have written it.
    const owner = parseJsonObject(text ?? '') as Owner | null;
    return owner && whyPossiblyAlive(owner) !== null ? owner : null;
  }

  #rankPath(rank: number): string {
    return path.join(this.path, `rank.${rank}`);
  }
}

/** Removes a rendezvous and its files. If several processes do this, the one that renames it removes the files. */
export async function removeRendezvous(rendezvous: string): Promise<void> {
  const isRenamed = rendezvous.endsWith(REMOVED_SUFFIX);
  const removed = isRenamed ? rendezvous : `${rendezvous}${REMOVED_SUFFIX}`;
  if (!isRenamed && (await nullIfMissing(renameFile(rendezvous, removed))) === null) return;
  await rm(removed, { recursive: true, force: true, maxRetries: MAX_RETRIES });
}

/** Returns the rendezvous of jobs that are running, or were killed. */
export async function findRendezvous(directory: string, deadHost?: string): Promise<readonly Leftover[]> {
  const found: Leftover[] = [];
  for (const rendezvous of await Rendezvous.list(directory)) {
    let reason: string | null = null;
    for await (const { owner } of rendezvous.findPresent()) reason ??= whyPossiblyAlive(owner, deadHost);
    found.push({ path: rendezvous.path, reason });
  }
  return found;
}

/** Removes the rendezvous of jobs that were killed. Returns their paths. */
export async function removeStaleRendezvous(directory: string, deadHost?: string): Promise<string[]> {
  const stale = (await findRendezvous(directory, deadHost)).filter(({ reason }) => reason === null);
  for (const one of stale) await removeRendezvous(one.path);
  return stale.map((one) => one.path);
}
