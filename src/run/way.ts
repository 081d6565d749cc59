import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink, stat } from 'node:fs/promises';
import path from 'node:path';
import { NO_FOLLOW } from '../../workers/protocol.js';
import { GobonnieError, shown } from '../errors.js';
import { isByUs, isOurs } from './trust.js';

/** Linux's O_PATH, which Node does not name: what may be passed through need not be readable. */
const PATH_ONLY = 0o10000000;
const PASS = PATH_ONLY | (constants.O_DIRECTORY ?? 0) | NO_FOLLOW;
/** As many as the kernel follows. */
const MOST_LINKS = 40;

/** Where a directory is, with the links on the way to it followed. */
export interface Way {
  readonly resolved: string;
  /** Whether only this user and root can put something else in its place, be it by a directory above it. */
  readonly isTrusted: boolean;
  /** It is open where others can, and the system leads through what is open. */
  readonly handle: FileHandle | null;
}

/** What goes before a name to look it up in an open directory, wherever that may be by then. Only Linux has it. */
export function rootOf({ fd }: FileHandle): string {
  return `/proc/${process.pid}/fd/${fd}`;
}

/** Whether it does, as not every container shows /proc. */
export async function leadsSomewhere(handle: FileHandle): Promise<boolean> {
  const { dev, ino } = await handle.stat({ bigint: true });
  const reached = await stat(`${rootOf(handle)}/.`, { bigint: true }).catch(() => null);
  return reached?.dev === dev && reached.ino === ino;
}

/**
 * The way to a directory that is there, by an absolute path. A link is followed where only this user and root can have
 * put it, and refused where it may lead to what somebody else chose a moment ago.
 */
export async function wayTo(directory: string): Promise<Way> {
  if (process.geteuid === undefined) return { resolved: directory, isTrusted: true, handle: null };
  const { root } = path.parse(directory);
  const rest = partsOf(directory);
  let resolved = root;
  let found = await lstat(root);
  for (let links = 0; isOurs(found); ) {
    const name = rest.shift();
    if (name === undefined) return { resolved, isTrusted: true, handle: null };
    const next = path.join(resolved, name);
    const entry = await lstat(next);
    if (entry.isSymbolicLink() && isByUs(entry)) {
      if (links++ === MOST_LINKS) throw new Error(`${shown(next)} is a link too many`);
      const target = await readlink(next);
      rest.unshift(...partsOf(target));
      if (path.isAbsolute(target)) resolved = root;
    } else {
      resolved = next;
      found = entry;
    }
  }
  return wayThrough(resolved, rest);
}

/** Whether only this user and root decide what is found there, be it a file. */
export async function isTrusted(place: string): Promise<boolean> {
  const way = await wayTo(place);
  await way.handle?.close();
  return way.isTrusted;
}

/** From the first directory on that others may change: each is opened in the one before. */
async function wayThrough(first: string, rest: readonly string[]): Promise<Way> {
  const unheld: Way = { resolved: path.join(first, ...rest), isTrusted: false, handle: null };
  if (process.platform !== 'linux') return unheld;
  let resolved = first;
  let handle = await pass(first, first);
  try {
    if (!(await leadsSomewhere(handle))) {
      await handle.close();
      return unheld;
    }
    for (const name of rest) {
      resolved = path.join(resolved, name);
      const next = await pass(`${rootOf(handle)}/${name}`, resolved);
      await handle.close();
      handle = next;
    }
    return { resolved, isTrusted: false, handle };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Opens a directory only to go on from there. */
export async function pass(place: string, resolved: string): Promise<FileHandle> {
  try {
    return await open(place, PASS);
  } catch (error) {
    const found = await lstat(place).catch(() => null);
    if (found?.isSymbolicLink()) throw foreignLink(resolved);
    throw error;
  }
}

export function foreignLink(link: string): GobonnieError {
  return new GobonnieError(
    'directory-unusable',
    `${shown(link)} is a link that somebody else could have put there`,
    'pass the path that it leads to',
  );
}

function partsOf(given: string): string[] {
  return given.split(path.sep).filter((part) => part !== '' && part !== '.');
}
