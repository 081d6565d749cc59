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

/*
 * A rendezvous is a directory of one user, through which processes exchange texts:
 *
 *   .gobonnie-rendezvous.SIZE.ID    of a job of SIZE ranks; for bonnie++ -y s, .gobonnie-barrier.SIZE.ID
 *     rank.I/owner                  the process that has rank I
 *     NAME/I                        the text NAME that rank I has put
 *     left/I                        rank I has left
 *
 * There are no locks. A rank's directory is completed under another name and then renamed: a rename onto a directory
 * that is not empty fails, so only one of several processes gets the rank. A rendezvous is renamed before its files are
 * removed, so no process uses half of it.
 */

export type RendezvousKind = 'rendezvous' | 'barrier';

export interface Rendezvous {
  readonly path: string;
  readonly size: number;
}

const RENDEZVOUS_NAME = /^\.gobonnie-(rendezvous|barrier)\.(\d+)\.([\da-f-]{36})(\.removed)?$/;
const REMOVED_SUFFIX = '.removed';
export const LEFT = 'left';
/** The errors of a rename onto an existing directory; Windows returns EPERM. */
const TAKEN_CODES = ['ENOTEMPTY', 'EEXIST', 'EPERM'];

const rankPath = (rendezvous: string, rank: number) => path.join(rendezvous, `rank.${rank}`);

export async function createRendezvous(
  directory: string,
  kind: RendezvousKind,
  size: number,
): Promise<Rendezvous> {
  const rendezvous = path.join(directory, `.gobonnie-${kind}.${size}.${randomUUID()}`);
  await mkdir(rendezvous, { mode: 0o700 });
  return { path: rendezvous, size };
}

/** Returns this user's rendezvous in a directory, sorted by name. Completes removals that were interrupted. */
export async function listRendezvous(directory: string, kind: RendezvousKind): Promise<Rendezvous[]> {
  const found: Rendezvous[] = [];
  for (const name of (await readdir(directory)).sort()) {
    const [, itsKind, size, , removed] = RENDEZVOUS_NAME.exec(name) ?? [];
    if (itsKind !== kind) continue;
    const rendezvous = path.join(directory, name);
    const stats = await lstat(rendezvous).catch(() => null);
    if (!stats?.isDirectory() || !isOwnedByUs(stats)) continue;
    if (removed === undefined) found.push({ path: rendezvous, size: Number(size) });
    else await removeRendezvous(rendezvous);
  }
  return found;
}

/** Gives this process the first free rank. Null if none is free, or the rendezvous was removed. */
export async function claimRank(rendezvous: string, first: number, last: number): Promise<number | null> {
  const draft = path.join(rendezvous, `draft.${randomUUID()}`);
  try {
    await mkdir(draft, { mode: 0o700 });
    await writeFile(path.join(draft, 'owner'), JSON.stringify(currentOwner()), { mode: 0o600 });
    for (let rank = first; rank <= last; rank++)
      if (await renameIfFree(draft, rankPath(rendezvous, rank))) return rank;
    await rm(draft, { recursive: true, force: true });
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  return null;
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

/** Returns the number of processes that have ever joined. Throws ENOENT if the rendezvous was removed. */
export async function countRanks(rendezvous: string): Promise<number> {
  return (await readdir(rendezvous)).filter((name) => name.startsWith('rank.')).length;
}

/** Publishes a text as NAME/I. Throws ENOENT if the rendezvous was removed. */
export async function putText(rendezvous: string, rank: number, name: string, text: string): Promise<void> {
  const draft = path.join(rankPath(rendezvous, rank), `draft.${randomUUID()}`);
  await writeFile(draft, text, { flag: 'wx', mode: 0o600 });
  await mkdir(path.join(rendezvous, name), { mode: 0o700 }).catch((error: SystemError) => {
    if (!hasCode(error, 'EEXIST')) throw error;
  });
  await renameFile(draft, path.join(rendezvous, name, String(rank)));
}

/** Returns a text that a rank has put, or null. */
export function getText(rendezvous: string, rank: number, name: string): Promise<string | null> {
  return readOwnFile(path.join(rendezvous, name, String(rank)));
}

/** Yields the processes that have joined, have not left, and are not certainly dead. */
export async function* findPresent(rendezvous: string) {
  for (const name of (await nullIfMissing(readdir(rendezvous))) ?? []) {
    const rank = Number(/^rank\.(\d+)$/.exec(name)?.[1] ?? Number.NaN);
    const owner = Number.isNaN(rank) ? null : await readPresentOwner(rendezvous, rank);
    if (owner) yield { rank, owner };
  }
}

/** Returns the process that has a rank. Null if there is none, it has left, or it is certainly dead. */
export async function readPresentOwner(rendezvous: string, rank: number): Promise<Owner | null> {
  if ((await getText(rendezvous, rank, LEFT)) !== null) return null;
  const text = await readOwnFile(path.join(rankPath(rendezvous, rank), 'owner'));
  const owner = parseOwner(text ?? '');
  return owner && whyPossiblyAlive(owner) !== null ? owner : null;
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
    const [, kind] = RENDEZVOUS_NAME.exec(name) ?? [];
    await using rendezvous = kind === 'rendezvous' ? await parent.enter(name).catch(() => null) : null;
    if (!rendezvous) continue;
    let reason: string | null = null;
    for await (const { owner } of findPresent(rendezvous.root)) reason ??= whyPossiblyAlive(owner, deadHost);
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
