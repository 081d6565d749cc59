import { readdir, unlink } from 'node:fs/promises';
import nodePath from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readMountInfo } from '../machine/mount.js';
import { nullIfMissing, type SystemError } from '../system-error.js';
import { findOwnDirectory, type OwnDirectory, removeDirectory, resolveDirectory } from './directory.js';
import { SCRATCH_PREFIX } from './file-location.js';
import { isMarkerIncomplete, MARKER_NAME, type Marker, readMarker } from './marker.js';
import { whyPossiblyAlive } from './owner.js';
import { removeScratch } from './removal.js';
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
  const parent = await resolveDirectory(directory);
  const found: Leftover[] = [];
  const mountPoints = await mountPointNames(parent);
  // Not opendir, which fails on an empty drive on Windows.
  for (const name of await readdir(parent)) {
    // Skip mount points: lstat would block forever if the server is gone.
    if (!name.startsWith(SCRATCH_PREFIX) || mountPoints.has(name)) continue;
    const scratch = await findOwnDirectory(nodePath.join(parent, name)).catch(() => null);
    if (!scratch) continue;
    const marker = await readMarker(scratch.path);
    const reason = marker ? whyPossiblyAlive(marker.owner, deadHost) : NO_MARKER_REASON;
    found.push({ path: scratch.path, reason });
  }
  return found;
}

/** Returns the names of the mount points in a directory. Empty if the system does not list them. */
async function mountPointNames(directory: string): Promise<ReadonlySet<string>> {
  const mounts = (await readMountInfo()) ?? [];
  const children = mounts.filter(({ path }) => nodePath.dirname(path) === directory);
  return new Set(children.map(({ path }) => nodePath.basename(path)));
}

/** A leftover that was removed, or the reason why that failed. */
export interface RemovalResult {
  readonly path: string;
  readonly error: SystemError | null;
}

export async function removeDeadLeftovers(directory: string, deadHost?: string): Promise<RemovalResult[]> {
  const results: RemovalResult[] = [];
  for (const { path, reason } of await findLeftovers(directory, deadHost)) {
    if (reason !== null) continue;
    results.push(await removalResult(path, removeLeftover(path, deadHost)));
  }
  return results;
}

export function removalResult(path: string, removal: Promise<void>): Promise<RemovalResult> {
  return removal.then(
    () => ({ path, error: null }),
    (error: SystemError) => ({ path, error }),
  );
}

async function removeLeftover(leftover: string, deadHost?: string): Promise<void> {
  const directory = await findOwnDirectory(leftover);
  const marker = await readMarker(leftover);
  // Another directory may have taken its place since it was found.
  if (marker && whyPossiblyAlive(marker.owner, deadHost) === null) await removeExisting(directory, marker);
}

/** For the watcher: removes the leftovers of a process that is certainly dead. */
export async function removeDeadRun(watched: WatchedDirectory): Promise<void> {
  await removeWatchedDirectory(watched);
  const { directory, newParents } = watched;
  let ancestor = directory;
  for (let remaining = newParents ?? 0; remaining > 0; remaining--) {
    ancestor = nodePath.dirname(ancestor);
    await removeDirectory(ancestor).catch(() => {});
  }
}

async function removeWatchedDirectory({ directory, owner, newParents }: WatchedDirectory): Promise<void> {
  const scratch = await findOwnDirectory(directory).catch(() => null);
  if (!scratch) return;
  const marker = await readMarker(directory);
  if (marker && isDeepStrictEqual(marker.owner, owner)) await removeExisting(scratch, marker);
  else if (newParents !== null && !marker) await removeUnmarked(directory);
}

async function removeExisting(directory: OwnDirectory, marker: Marker): Promise<void> {
  // Another process may be removing it at the same time.
  await nullIfMissing(removeScratch(directory, marker));
}

/** Removes a directory whose process was killed while creating or removing it. */
async function removeUnmarked(directory: string): Promise<void> {
  if (!(await isMarkerIncomplete(directory))) return;
  // Ignore failures: if a marker remains, removeDirectory() fails.
  await unlink(nodePath.join(directory, MARKER_NAME)).catch(() => {});
  await removeDirectory(directory);
}
