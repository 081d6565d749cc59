import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readlink } from 'node:fs/promises';
import path from 'node:path';
import { NO_FOLLOW } from '../../../workers/protocol.js';
import { GobonnieError } from '../../errors.js';
import { shown } from '../../text/escape.js';
import { leadsThrough, rootThrough } from './descriptor.js';
import { isByUs, isOurs, isServed } from './trust.js';

/** Linux's O_PATH, which Node does not name: what may be passed through need not be readable. */
const PATH_ONLY = 0o10000000;
const PASS = PATH_ONLY | (constants.O_DIRECTORY ?? 0) | NO_FOLLOW;
/** As many as the kernel follows. */
const MOST_LINKS = 40;

/** Where a directory is, with the links on the way to it followed. */
export interface Way {
  readonly resolved: string;
  /** It is open where others than this user and root can put something else in its place or of one above it. */
  readonly handle: FileHandle | null;
}

/**
 * The way to a directory that is there, by an absolute path. A link is followed where only this user and root can have
 * put it, and refused where it may lead to what somebody else chose a moment ago.
 */
export async function wayTo(directory: string): Promise<Way> {
  if (process.geteuid === undefined) return { resolved: directory, handle: null };
  const { resolved, rest, isTrusted } = await trustedPart(directory, isOurs);
  if (isTrusted) return { resolved, handle: null };
  if (process.platform !== 'linux') return { resolved: path.join(resolved, ...rest), handle: null };
  if (!leadsThrough()) throw unheldable(resolved);
  return wayThrough(resolved, rest);
}

/** Whether only this user and root, or whom else `isTrustworthy` lets through, decide what is found there, be it a file. */
export async function isTrusted(place: string, isTrustworthy: Trust = isOurs): Promise<boolean> {
  return process.geteuid === undefined || (await trustedPart(place, isTrustworthy)).isTrusted;
}

type Trust = (found: Stats) => boolean;

interface TrustedPart {
  /** It ends with the first thing that others may change. */
  readonly resolved: string;
  /** The names behind it. */
  readonly rest: readonly string[];
  readonly isTrusted: boolean;
}

async function trustedPart(directory: string, isTrustworthy: Trust): Promise<TrustedPart> {
  const { root } = path.parse(directory);
  const rest = partsOf(directory);
  let resolved = root;
  const top = await lstat(root);
  let found = top;
  // Who serves the filesystem at the top serves the programs of root, too, this one among them.
  const isDecidedByUs = async () =>
    isTrustworthy(found) && (found.dev === top.dev || !(await isServed(resolved)));
  for (let links = 0; await isDecidedByUs(); ) {
    const name = rest.shift();
    if (name === undefined) return { resolved, rest, isTrusted: true };
    const next = path.join(resolved, name);
    const entry = await lstat(next);
    if (entry.isSymbolicLink() && isByUs(entry)) {
      if (links++ === MOST_LINKS) throw new Error(`${shown(next)} is a link too many`);
      const target = await readlink(next);
      rest.unshift(...partsOf(target));
      if (path.isAbsolute(target)) [resolved, found] = [root, top];
    } else {
      resolved = next;
      found = entry;
    }
  }
  return { resolved, rest, isTrusted: false };
}

/** From the first directory on that others may change: each is opened in the one before. */
async function wayThrough(first: string, rest: readonly string[]): Promise<Way> {
  let resolved = first;
  let handle = await pass(first, first);
  try {
    for (const name of rest) {
      resolved = path.join(resolved, name);
      const next = await pass(`${rootThrough(handle)}/${name}`, resolved);
      await handle.close();
      handle = next;
    }
    return { resolved, handle };
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

function unheldable(place: string): GobonnieError {
  return new GobonnieError(
    'directory-unusable',
    `others may change what ${shown(place)} holds, and without a /proc that shows this process nothing in it can be held on to`,
    'mount /proc, or pass a directory that only you may change',
  );
}

function partsOf(given: string): string[] {
  return given.split(path.sep).filter((part) => part !== '' && part !== '.');
}
