import { lstat, opendir, readFile } from 'node:fs/promises';
import nodePath from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseMountInfo } from '../machine/mount.js';
import type { SystemError } from '../system-error.js';
import { Belongings } from './data-files.js';
import { EMPTY, isMarkerBegun, type Marker, readMarker } from './marker.js';
import { MarkerFile } from './marker-file.js';
import { reasonToLive } from './owner.js';
import { identitiesAbove, removeAll } from './remove.js';
import { Hold } from './safe-path/directory-handle.js';
import { birthMsOf } from './safe-path/directory-id.js';
import { isOwn } from './safe-path/own-file.js';
import { PREFIX } from './scratch.js';
import type { Expected } from './watcher.js';

/** A scratch directory of this user that is there. */
export interface Leftover {
  readonly path: string;
  /** Why it has to stay; null where the process that made it is certainly dead. */
  readonly reason: string | null;
}

const NO_MARKER = 'nothing in it shows that it is gobonnie’s';
const EARLIER =
  'an earlier gobonnie made it, of which it cannot be told whether it is at work; remove it by hand';

/** Which directories are looked at. Before a run, which is not to wait for that, those of a leftover's name. */
export type Candidates = 'named' | 'all';

/** Those in a directory, by what is in them or by their name; another user's are no concern of ours. */
export async function leftoversIn(directory: string): Promise<readonly Leftover[]> {
  const ground = await Hold.reach(directory);
  try {
    return await leftoversOf(ground, 'all');
  } finally {
    await ground.release();
  }
}

async function leftoversOf(ground: Hold, candidates: Candidates): Promise<readonly Leftover[]> {
  const found: Leftover[] = [];
  for await (const name of ownDirectoriesOf(ground)) {
    if (candidates === 'named' && !name.startsWith(PREFIX)) continue;
    const place = nodePath.join(ground.root, name);
    const marker = await readMarker(place);
    if (marker) found.push({ path: ground.named(place), reason: reasonToStay(marker) });
    else if (name.startsWith(PREFIX)) found.push({ path: ground.named(place), reason: NO_MARKER });
  }
  return found;
}

/**
 * The names of this user's directories, as far as they can be looked through. On one of them may be mounted what does
 * not answer, and whoever looks at that waits for ever.
 */
async function* ownDirectoriesOf(ground: Hold): AsyncGenerator<string> {
  const mountPoints = await mountPointsIn(ground.resolved);
  for await (const { name } of await opendir(ground.root)) {
    if (mountPoints.has(name)) continue;
    const found = await lstat(nodePath.join(ground.root, name)).catch(() => null);
    if (found?.isDirectory() && isOwn(found)) yield name;
  }
}

/** By their names. None where the system does not tell. */
async function mountPointsIn(directory: string): Promise<ReadonlySet<string>> {
  const mounts = parseMountInfo(await readFile('/proc/self/mountinfo', 'utf8').catch(() => ''));
  const here = mounts.filter(({ path }) => nodePath.dirname(path) === directory);
  return new Set(here.map(({ path }) => nodePath.basename(path)));
}

function reasonToStay({ owner }: Marker): string | null {
  return owner ? reasonToLive(owner) : EARLIER;
}

/** One that was to be removed, and why that failed where it did. */
export interface Cleared {
  readonly path: string;
  readonly error: SystemError | null;
}

/** Removes those whose processes are dead. What may be in use stays. */
export async function clearLeftovers(
  directory: string,
  candidates: Candidates = 'named',
): Promise<readonly Cleared[]> {
  const ground = await Hold.reach(directory);
  try {
    const cleared: Cleared[] = [];
    for (const { path, reason } of await leftoversOf(ground, candidates)) {
      if (reason !== null) continue;
      const error = await removeLeftover(ground, nodePath.basename(path)).then(
        () => null,
        (cause: SystemError) => cause,
      );
      cleared.push({ path, error });
    }
    return cleared;
  } finally {
    await ground.release();
  }
}

/** Removes one whose process is dead, with what it says that it holds. Throws what kept it from that. */
async function removeLeftover(ground: Hold, name: string): Promise<void> {
  const hold = await ground.enter(name);
  try {
    const marker = await readMarker(hold.root);
    // The process that looked at it first may have been another.
    if (marker && reasonToStay(marker) === null) await clearAway(hold, marker);
  } finally {
    await hold.release();
  }
}

/**
 * Removes what a process that is known to be dead has left, be it that it died while it made the marker, before all
 * else. By now its directory may have another name, and anything its own.
 */
export async function removeAbandoned(expected: Expected): Promise<void> {
  const ground = await Hold.reach(nodePath.dirname(expected.directory)).catch(() => null);
  try {
    if (ground && (await removeFrom(ground, expected))) return;
  } finally {
    await ground?.release();
  }
  await removeUnused(expected);
}

/** Whether it was there. */
async function removeFrom(ground: Hold, expected: Expected): Promise<boolean> {
  if (await removeIfExpected(ground, nodePath.basename(expected.directory), expected)) return true;
  for await (const name of ownDirectoriesOf(ground))
    if (await removeIfExpected(ground, name, expected)) return true;
  return false;
}

async function removeIfExpected(ground: Hold, name: string, expected: Expected): Promise<boolean> {
  const hold = await ground.enter(name).catch(() => null);
  if (!hold) return false;
  try {
    const marker = await expectedMarker(hold, name, expected);
    if (marker) await clearAway(hold, marker);
    return marker !== null;
  } finally {
    await hold.release();
  }
}

/** What says that it is the one, or would have said so. */
async function expectedMarker(hold: Hold, name: string, expected: Expected): Promise<Marker | null> {
  const { directory, madeParents, owner } = expected;
  const marker = await readMarker(hold.root);
  if (marker) return isDeepStrictEqual(marker.owner, owner) ? marker : null;
  if (name !== nodePath.basename(directory) || !(await isMarkerBegun(hold.root))) return null;
  return { ...EMPTY, owner, madeParents: await identitiesAbove(hold, madeParents) };
}

async function clearAway(hold: Hold, found: Marker): Promise<void> {
  const marker = MarkerFile.found(hold.root, found);
  const [failure] = await removeAll(hold, marker, Belongings.found(hold, marker));
  // Another one may have found it at the same time.
  if (failure && failure.code !== 'ENOENT') throw failure;
}

/** The directories above one that was never made, as far as there is nothing in them. */
async function removeUnused({ directory, madeParents, bornAfterMs }: Expected): Promise<void> {
  let unused = nodePath.dirname(directory);
  for (let left = madeParents; left > 0; left--) {
    const above = await Hold.reach(nodePath.dirname(unused)).catch(() => null);
    if (above) await removeIfBorn(above, nodePath.basename(unused), bornAfterMs).catch(() => {});
    await above?.release();
    unused = nodePath.dirname(unused);
  }
}

/** Another directory of this user that has come in the place of one is older. Where that is not known it stays. */
async function removeIfBorn(above: Hold, name: string, afterMs: number): Promise<void> {
  const hold = await above.enter(name);
  try {
    if ((await birthMsOf(hold.root)) >= afterMs) await hold.removeDirectory();
  } finally {
    await hold.release();
  }
}
