import { lstat, readdir, readFile, unlink } from 'node:fs/promises';
import nodePath from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseMountInfo } from '../machine/mount.js';
import { refuseForbidden } from '../permission-model.js';
import { hasCode, type SystemError } from '../system-error.js';
import { shown } from '../text/escape.js';
import { isMarkerBegun, MARKER_NAME, type Marker, MarkerFile, readMarker } from './marker.js';
import { PREFIX } from './name.js';
import { type Owner, reasonToKeep } from './owner.js';
import { DirectoryHandle } from './safe-path/directory-handle.js';
import { isOwn } from './safe-path/trust.js';
import { Scratch } from './scratch.js';
import type { Expected } from './watcher/watcher.js';

/** What a process of this user may have left: a scratch directory, or something of a meeting. */
export interface Leftover {
  readonly path: string;
  /** The job that it was part of. */
  readonly job: string | null;
  /** Why it has to stay; null if the process that made it is certainly dead. */
  readonly reason: string | null;
}

const NO_MARKER = 'it has no valid gobonnie marker; remove it by hand if you do not need it';

/** Finds the directories of this user with the name of a scratch directory. */
export async function leftoversIn(directory: string): Promise<readonly Leftover[]> {
  return (await DirectoryHandle.open(directory)).use(leftoversOf);
}

async function leftoversOf(ground: DirectoryHandle): Promise<readonly Leftover[]> {
  const found: Leftover[] = [];
  const mountPoints = await mountPointsIn(ground.resolved);
  // Windows fails to open an empty drive name by name.
  for (const name of await readdir(ground.root)) {
    // If its server is gone, looking at a mount point would block forever.
    if (!name.startsWith(PREFIX) || mountPoints.has(name)) continue;
    const place = nodePath.join(ground.root, name);
    const entry = await lstat(place).catch(() => null);
    if (!entry?.isDirectory() || !isOwn(entry)) continue;
    const marker = await readMarker(place);
    found.push({ path: ground.named(place), ...standingOf(marker) });
  }
  return found;
}

function standingOf(marker: Marker | null): Omit<Leftover, 'path'> {
  if (!marker) return { job: null, reason: NO_MARKER };
  return standingWith(marker.owner, marker.job ?? null);
}

export function standingWith(owner: Owner, job: string | null): Omit<Leftover, 'path'> {
  const reason = reasonToKeep(owner);
  if (job === null || reason === null) return { job, reason };
  return { job, reason: `${reason}; or, when its job is over, gobonnie clean --job ${shown(job)}` };
}

/** Their names. Empty if the system does not list them. */
async function mountPointsIn(directory: string): Promise<ReadonlySet<string>> {
  const mounts = parseMountInfo(await readFile('/proc/self/mountinfo', 'utf8').catch(() => ''));
  const here = mounts.filter(({ path }) => nodePath.dirname(path) === directory);
  return new Set(here.map(({ path }) => nodePath.basename(path)));
}

/** A leftover that was removed, or the reason why that failed. */
export interface Cleared {
  readonly path: string;
  readonly error: SystemError | null;
}

/** Whether it may be removed: the process that made it is certainly dead, or it belongs to a job that is over. */
export function isOver({ reason, job }: Omit<Leftover, 'path'>, jobThatIsOver: string | null): boolean {
  return reason === null || (jobThatIsOver !== null && job === jobThatIsOver);
}

/** Removes the scratch directories that may be removed. */
export async function clearLeftovers(
  directory: string,
  job: string | null = null,
): Promise<readonly Cleared[]> {
  const ground = await DirectoryHandle.open(directory);
  return ground.use(async () => {
    const cleared: Cleared[] = [];
    for (const { path } of (await leftoversOf(ground)).filter((one) => isOver(one, job))) {
      const error = await removeLeftover(ground, nodePath.basename(path), job).then(
        () => null,
        (cause: SystemError) => cause,
      );
      cleared.push({ path, error });
    }
    return cleared;
  });
}

async function removeLeftover(ground: DirectoryHandle, name: string, job: string | null): Promise<void> {
  refuseForbidden('FileSystemWrite', nodePath.join(ground.root, name));
  const directory = await ground.enter(name);
  await directory.use(async () => {
    const marker = await readMarker(directory.root);
    // Another directory may have taken its place since it was found.
    if (marker && isOver(standingOf(marker), job)) await removeScratch(directory, marker);
  });
}

/** For the watcher: removes what a process left that is known to be dead. */
export async function removeAbandoned({ directory, owner, newParents }: Expected): Promise<void> {
  const ground = await DirectoryHandle.open(nodePath.dirname(directory)).catch(() => null);
  await ground?.use(async () => {
    const found = await ground.enter(nodePath.basename(directory)).catch(() => null);
    await found?.use(async () => {
      const marker = await readMarker(found.root);
      if (marker && isDeepStrictEqual(marker.owner, owner)) await removeScratch(found, marker);
      else if (newParents !== null && !marker) await removeUnmarked(found);
    });
  });
  let parent = directory;
  for (let left = newParents ?? 0; left > 0; left--) {
    parent = nodePath.dirname(parent);
    await removeEmpty(parent).catch(() => {});
  }
}

async function removeScratch(directory: DirectoryHandle, found: Marker): Promise<void> {
  try {
    await new Scratch(directory, new MarkerFile(directory.root, found), 'dead process').removeAll();
  } catch (error) {
    // Another process may be removing it at the same time.
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}

/** Removes a directory whose process was killed while making or removing it. */
async function removeUnmarked(directory: DirectoryHandle): Promise<void> {
  if (!(await isMarkerBegun(directory.root))) return;
  // If it exists and stays, so does the directory.
  await unlink(nodePath.join(directory.root, MARKER_NAME)).catch(() => {});
  await directory.removeDirectory();
}

async function removeEmpty(directory: string): Promise<void> {
  const ground = await DirectoryHandle.open(nodePath.dirname(directory));
  await ground.use(async () => {
    const made = await ground.enter(nodePath.basename(directory));
    await made.use(() => made.removeDirectory());
  });
}
