import { constants, readlinkSync, type Stats, statfsSync } from 'node:fs';
import { type FileHandle, lstat, open, readlink } from 'node:fs/promises';
import path from 'node:path';
import { NO_FOLLOW } from '../../../workers/protocol.js';
import { GobonnieError } from '../../errors.js';
import { display } from '../../text/escape.js';
import { isOwnedByUsOrRoot, isUserspaceFilesystem, isWritableOnlyByUsOrRoot } from './trust.js';

/** Linux's O_PATH, for which Node has no constant: it needs no permission to read the directory. */
const O_PATH = 0o10000000;
const LOOKUP_FLAGS = O_PATH | (constants.O_DIRECTORY ?? 0) | NO_FOLLOW;
/** The kernel's own limit. */
const MAX_LINKS = 40;
/** The type in statfs of the kernel's own /proc. Anything else mounted there could be forged. */
const PROC_FILESYSTEM_TYPE = 0x9fa0;

/**
 * Finds a directory by its absolute path. Follows a link if only this user or root can have created it, and rejects any
 * other link, because it may lead anywhere. Returns its path with all links resolved, and a handle if other users could
 * replace it or a directory above it.
 */
export async function resolveDirectory(directory: string) {
  if (process.geteuid === undefined) return { path: directory, handle: null };
  const { resolved, rest, isTrusted } = await resolveTrustedPart(directory, isWritableOnlyByUsOrRoot);
  if (isTrusted) return { path: resolved, handle: null };
  if (process.platform !== 'linux') return { path: path.join(resolved, ...rest), handle: null };
  if (!canLookUpThroughFd())
    throw new GobonnieError(
      'directory-unusable',
      `other users can change ${display(resolved)}, so using it safely needs a /proc that shows this process`,
      'mount /proc, or pass a directory that only you can change',
    );
  return openStepwise(resolved, rest);
}

/** True if only this user and root (or others whom `isTrustworthy` accepts) can change where a path leads. */
export async function isTrusted(
  file: string,
  isTrustworthy: TrustCheck = isWritableOnlyByUsOrRoot,
): Promise<boolean> {
  return process.geteuid === undefined || (await resolveTrustedPart(file, isTrustworthy)).isTrusted;
}

type TrustCheck = (stats: Stats) => boolean;

/** Resolves a path up to and including the first directory that others can change. `rest` has the names after it. */
async function resolveTrustedPart(directory: string, isTrustworthy: TrustCheck) {
  const { root } = path.parse(directory);
  const rest = splitPath(directory);
  let resolved = root;
  const rootStats = await lstat(root);
  let stats = rootStats;
  // If a program serves the root filesystem, this program also comes from it, so it has to be trusted.
  const isControlledByUs = async () =>
    isTrustworthy(stats) && (stats.dev === rootStats.dev || !(await isUserspaceFilesystem(resolved)));
  for (let links = 0; await isControlledByUs(); ) {
    const name = rest.shift();
    if (name === undefined) return { resolved, rest, isTrusted: true };
    const next = path.join(resolved, name);
    const entry = await lstat(next);
    if (entry.isSymbolicLink() && isOwnedByUsOrRoot(entry)) {
      if (links++ === MAX_LINKS) throw new Error(`too many links at ${display(next)}`);
      const target = await readlink(next);
      rest.unshift(...splitPath(target));
      if (path.isAbsolute(target)) {
        resolved = root;
        stats = rootStats;
      }
    } else {
      resolved = next;
      stats = entry;
    }
  }
  return { resolved, rest, isTrusted: false };
}

/** Opens the first directory that others can change, then each directory relative to its parent. */
async function openStepwise(first: string, rest: readonly string[]) {
  let resolved = first;
  let handle = await openForLookup(first, first);
  try {
    for (const name of rest) {
      resolved = path.join(resolved, name);
      const next = await openForLookup(`${fdPath(handle)}/${name}`, resolved);
      await handle.close();
      handle = next;
    }
    return { path: resolved, handle };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

export async function openForLookup(directory: string, resolved: string): Promise<FileHandle> {
  try {
    return await open(directory, LOOKUP_FLAGS);
  } catch (error) {
    const stats = await lstat(directory).catch(() => null);
    if (stats?.isSymbolicLink()) throw foreignLinkError(resolved);
    throw error;
  }
}

/** True if entries can be looked up in an open directory: Node has no openat, but Linux has /proc. */
export function canLookUpThroughFd(): boolean {
  return fdDirectory() !== null;
}

/** Returns the path under which to look up the entries of an open directory, even if it was moved. */
export function fdPath({ fd }: FileHandle): string {
  const directory = fdDirectory();
  if (directory === null) throw new Error('/proc was unmounted');
  return `${directory}/${fd}`;
}

function fdDirectory(): string | null {
  if (process.platform !== 'linux') return null;
  try {
    // Not process.pid: in another container's /proc, that ID is another process.
    return statfsSync('/proc').type === PROC_FILESYSTEM_TYPE
      ? `/proc/${readlinkSync('/proc/self')}/fd`
      : null;
  } catch {
    return null;
  }
}

export function foreignLinkError(link: string): GobonnieError {
  return new GobonnieError(
    'directory-unusable',
    `${display(link)} is a link that another user may have created`,
    'pass the path that it points to',
  );
}

function splitPath(file: string): string[] {
  return file.split(path.sep).filter((name) => name !== '' && name !== '.');
}
