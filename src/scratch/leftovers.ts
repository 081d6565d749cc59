import { readdir, unlink } from 'node:fs/promises';
import nodePath from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { nullIfMissing, type SystemError } from '../system-error.js';
import { SCRATCH_NAME } from './file-location.js';
import { MARKER_NAME, readMarker } from './marker.js';
import {
  findOwnDirectory,
  type OwnDirectory,
  readOwnFile,
  removeDirectory,
  resolveDirectory,
} from './own-files.js';
import { type Owner, whyPossiblyAlive } from './owner.js';
import { Removal } from './removal.js';
import type { WatchedDirectory } from './watcher/watcher.js';

/** A possible leftover of a process of this user: a scratch directory, or a rendezvous file. */
export interface Leftover {
  readonly path: string;
  /** Why gobonnie keeps it; null if the process that created it is dead. */
  readonly reason: string | null;
}

const NO_MARKER_REASON = 'it has no valid gobonnie marker; remove it by hand if you do not need it';

/** Finds this user's directories that are named like a scratch directory. The user declares `deadHost` dead. */
export async function findLeftovers(directory: string, deadHost?: string): Promise<readonly Leftover[]> {
  const found: Leftover[] = [];
  for await (const { scratch, reason } of inspectScratches(directory, deadHost))
    found.push({ path: scratch.path, reason });
  return found;
}

/** Yields the state of each directory when the caller asks for it, because processes end and start meanwhile. */
async function* inspectScratches(directory: string, deadHost?: string) {
  const parent = await resolveDirectory(directory);
  // Not opendir, which fails on an empty drive on Windows.
  for (const name of await readdir(parent)) {
    if (!SCRATCH_NAME.test(name)) continue;
    const scratch = await findOwnDirectory(nodePath.join(parent, name)).catch(() => null);
    if (!scratch) continue;
    const owner = await readMarker(scratch.path);
    yield { scratch, owner, reason: owner ? whyPossiblyAlive(owner, deadHost) : NO_MARKER_REASON };
  }
}

/** A leftover that was removed, or the reason why that failed. */
export interface RemovalResult {
  readonly path: string;
  readonly error: SystemError | null;
}

export async function removeDeadLeftovers(directory: string, deadHost?: string): Promise<RemovalResult[]> {
  const results: RemovalResult[] = [];
  for await (const { scratch, owner, reason } of inspectScratches(directory, deadHost))
    if (owner && reason === null)
      results.push(await removalResult(scratch.path, removeExisting(scratch, owner)));
  return results;
}

export function removalResult(path: string, removal: Promise<void>): Promise<RemovalResult> {
  return removal.then(
    () => ({ path, error: null }),
    (error: SystemError) => ({ path, error }),
  );
}

/** For the watcher: removes the leftovers of a process that is certainly dead. */
export async function removeDeadRun({ directory, owner }: WatchedDirectory): Promise<void> {
  const scratch = await findOwnDirectory(directory).catch(() => null);
  const found = scratch && (await readMarker(directory));
  if (found && isDeepStrictEqual(found, owner)) await removeExisting(scratch, owner);
  else if (scratch && !found) await removeUnmarked(directory);
}

async function removeExisting(directory: OwnDirectory, owner: Owner): Promise<void> {
  // Another process may be removing it at the same time.
  await nullIfMissing(new Removal(directory).removeAll(owner));
}

/** Removes a directory that is empty except for an empty marker: its process was killed while creating or removing it. */
async function removeUnmarked(directory: string): Promise<void> {
  const marker = nodePath.join(directory, MARKER_NAME);
  const names = await readdir(directory);
  if (names.join() === MARKER_NAME && (await readOwnFile(marker)) === '') await unlink(marker);
  await removeDirectory(directory).catch(() => {});
}
