import { lstat, opendir } from 'node:fs/promises';
import nodePath from 'node:path';
import type { SystemError } from '../errors.js';
import { Belongings } from './belongings.js';
import { Hold } from './hold.js';
import { type FoundMarker, readMarker, removeMarker } from './marker.js';
import { isOwn, unlessMissing } from './own-file.js';
import { reasonToLive } from './owner.js';
import { PREFIX, removeAll, removeEmpty } from './scratch.js';

/** A scratch directory of this user that is there. */
export interface Leftover {
  readonly path: string;
  /** Why it has to stay; null where the process that made it is certainly dead. */
  readonly reason: string | null;
}

const NO_MARKER = 'nothing in it shows that it is gobonnie’s';

/** Those in a directory, by their name; another user's are no concern of ours. */
export async function leftoversIn(directory: string): Promise<readonly Leftover[]> {
  const found: Leftover[] = [];
  for await (const { name } of await opendir(directory)) {
    const place = nodePath.join(directory, name);
    if (name.startsWith(PREFIX) && (await isOwnDirectory(place)))
      found.push({ path: place, reason: await reasonToStay(place) });
  }
  return found;
}

async function isOwnDirectory(place: string): Promise<boolean> {
  const found = await lstat(place).catch(() => null);
  return found?.isDirectory() === true && isOwn(found);
}

async function reasonToStay(place: string): Promise<string | null> {
  const marker = await readMarker(place);
  return marker ? reasonToLive(marker.owner) : NO_MARKER;
}

/** One that was to be removed, and why that failed where it did. */
export interface Cleared {
  readonly path: string;
  readonly error: SystemError | null;
}

/** Removes those whose processes are dead. What may be in use stays. */
export async function clearLeftovers(directory: string): Promise<readonly Cleared[]> {
  const cleared: Cleared[] = [];
  for (const { path, reason } of await leftoversIn(directory)) {
    if (reason !== null) continue;
    const error = await removeLeftover(path).then(
      () => null,
      (cause: SystemError) => cause,
    );
    cleared.push({ path, error });
  }
  return cleared;
}

/** Removes one whose process is dead, with what it says that it holds. Throws what kept it from that. */
async function removeLeftover(place: string): Promise<void> {
  await withMarker(place, async (hold, marker) => {
    // The process that looked at it first may have been another.
    if (marker && reasonToLive(marker.owner) === null) await clearAway(hold, marker);
  });
}

/** Removes what a process that is known to be dead has left, be it that it died while it made the marker, before all else. */
export async function removeAbandoned(place: string, madeParents: number): Promise<void> {
  if (await isOwnDirectory(place)) {
    await withMarker(place, async (hold, marker) => {
      if (marker) return clearAway(hold, marker);
      await removeMarker(hold.root).catch(unlessMissing(() => {}));
      await hold.removeDirectory();
    });
  }
  await removeEmpty(parentsOf(place, madeParents));
}

async function withMarker(
  place: string,
  act: (hold: Hold, marker: FoundMarker | null) => Promise<void>,
): Promise<void> {
  const hold = await Hold.take(place);
  try {
    await act(hold, await readMarker(hold.root));
  } finally {
    await hold.release();
  }
}

async function clearAway(hold: Hold, marker: FoundMarker): Promise<void> {
  const [failure] = await removeAll(hold, Belongings.found(hold.root, marker));
  // Another one may have found it at the same time.
  if (failure && failure.code !== 'ENOENT') throw failure;
  await removeEmpty(parentsOf(hold.path, marker.madeParents));
}

/** Innermost first. */
function parentsOf(place: string, count: number): readonly string[] {
  const parents: string[] = [];
  for (let at = nodePath.dirname(place); parents.length < count; at = nodePath.dirname(at)) parents.push(at);
  return parents;
}
