import { constants, readlinkSync, type Stats, statfsSync } from 'node:fs';
import { type FileHandle, lstat, open, readlink } from 'node:fs/promises';
import path from 'node:path';
import { NO_FOLLOW } from '../../../workers/protocol.js';
import { GobonnieError } from '../../errors.js';
import { shown } from '../../text/escape.js';
import { isByUs, isOurs, isServed } from './trust.js';

/** Linux's O_PATH, which Node does not name: it needs no permission to read the directory. */
const PATH_ONLY = 0o10000000;
const GO_THROUGH = PATH_ONLY | (constants.O_DIRECTORY ?? 0) | NO_FOLLOW;
/** The kernel's own limit. */
const MAX_LINKS = 40;
/** The type in statfs of the kernel's own /proc. Anything else mounted there could be forged. */
const PROC_TYPE = 0x9fa0;

/** A directory with all links in its path resolved. */
export interface Resolved {
  readonly path: string;
  /** Open if other users could replace it or a directory above it. */
  readonly handle: FileHandle | null;
}

/**
 * Finds a directory by its absolute path. A link is followed if only this user or root can have made it. Any other is
 * refused, as it may lead wherever another user wants.
 */
export async function resolveDirectory(directory: string): Promise<Resolved> {
  if (process.geteuid === undefined) return { path: directory, handle: null };
  const { resolved, rest, isTrusted } = await trustedPart(directory, isOurs);
  if (isTrusted) return { path: resolved, handle: null };
  if (process.platform !== 'linux') return { path: path.join(resolved, ...rest), handle: null };
  if (!canOpenThrough()) throw unsafeWithoutProc(resolved);
  return openEach(resolved, rest);
}

/** Whether only this user and root (or others whom `isTrustworthy` accepts) can change what a path leads to. */
export async function isTrusted(place: string, isTrustworthy: Trust = isOurs): Promise<boolean> {
  return process.geteuid === undefined || (await trustedPart(place, isTrustworthy)).isTrusted;
}

type Trust = (found: Stats) => boolean;

interface TrustedPart {
  /** Ends with the first directory that others can change. */
  readonly resolved: string;
  /** The names after it. */
  readonly rest: readonly string[];
  readonly isTrusted: boolean;
}

async function trustedPart(directory: string, isTrustworthy: Trust): Promise<TrustedPart> {
  const { root } = path.parse(directory);
  const rest = namesOf(directory);
  let resolved = root;
  const top = await lstat(root);
  let found = top;
  // If a program serves the root filesystem, all programs come from it, this one too, so it has to be trusted.
  const isDecidedByUs = async () =>
    isTrustworthy(found) && (found.dev === top.dev || !(await isServed(resolved)));
  for (let links = 0; await isDecidedByUs(); ) {
    const name = rest.shift();
    if (name === undefined) return { resolved, rest, isTrusted: true };
    const next = path.join(resolved, name);
    const entry = await lstat(next);
    if (entry.isSymbolicLink() && isByUs(entry)) {
      if (links++ === MAX_LINKS) throw new Error(`too many links at ${shown(next)}`);
      const target = await readlink(next);
      rest.unshift(...namesOf(target));
      if (path.isAbsolute(target)) [resolved, found] = [root, top];
    } else {
      resolved = next;
      found = entry;
    }
  }
  return { resolved, rest, isTrusted: false };
}

/** Opens the first directory that others can change, then each one below in the one before. */
async function openEach(first: string, rest: readonly string[]): Promise<Resolved> {
  let resolved = first;
  let handle = await openToGoThrough(first, first);
  try {
    for (const name of rest) {
      resolved = path.join(resolved, name);
      const next = await openToGoThrough(`${pathThrough(handle)}/${name}`, resolved);
      await handle.close();
      handle = next;
    }
    return { path: resolved, handle };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Opens a directory in which to look entries up. */
export async function openToGoThrough(place: string, resolved: string): Promise<FileHandle> {
  try {
    return await open(place, GO_THROUGH);
  } catch (error) {
    const found = await lstat(place).catch(() => null);
    if (found?.isSymbolicLink()) throw foreignLink(resolved);
    throw error;
  }
}

/** Whether entries can be looked up in an open directory: Node has no openat, but Linux has /proc. */
export function canOpenThrough(): boolean {
  return openFilesDirectory() !== null;
}

/** The same for changes: Node's permission model may allow them only under the directory's own path. */
export function canWriteThrough(): boolean {
  const directory = openFilesDirectory();
  return directory !== null && process.permission?.has('fs.write', directory) !== false;
}

/** The path under which to look up the entries of an open directory, wherever it was moved. */
export function pathThrough({ fd }: FileHandle): string {
  const directory = openFilesDirectory();
  if (directory === null) throw new Error('/proc was unmounted');
  return `${directory}/${fd}`;
}

function openFilesDirectory(): string | null {
  if (process.platform !== 'linux') return null;
  try {
    // Not process.pid: if /proc is another container's, that is another process.
    return statfsSync('/proc').type === PROC_TYPE ? `/proc/${readlinkSync('/proc/self')}/fd` : null;
  } catch {
    return null;
  }
}

export function foreignLink(link: string): GobonnieError {
  return new GobonnieError(
    'directory-unusable',
    `${shown(link)} is a link that another user could have made`,
    'pass the path that it points to',
  );
}

function unsafeWithoutProc(directory: string): GobonnieError {
  return new GobonnieError(
    'directory-unusable',
    `other users can change ${shown(directory)}, which is safe to use only with a /proc that shows this process`,
    'mount /proc, or pass a directory that only you can change',
  );
}

function namesOf(given: string): string[] {
  return given.split(path.sep).filter((name) => name !== '' && name !== '.');
}
