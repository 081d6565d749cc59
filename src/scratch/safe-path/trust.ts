import { constants, type Stats } from 'node:fs';
import { statfs } from 'node:fs/promises';

const ROOT = 0;
/** Includes the group: it may have other members, and its bit may represent an access list. */
const WRITABLE_BY_OTHERS = 0o022;
/** In a directory with this bit, like /tmp, users cannot rename or remove each other's files. */
const STICKY = 0o1000;
/** The owner that macOS shows to root for all files of a volume whose owners it ignores. */
const MACOS_UNKNOWN_OWNER = 99;
/** Types in statfs of FUSE (including virtiofs) and 9p. */
const USERSPACE_TYPES = [0x65735546, 0x01021997];

/** True if it belongs to this user. Always true on Windows, which has no user IDs. */
export function isOwnedByUs({ uid }: Pick<Stats, 'uid'>): boolean {
  const user = process.geteuid?.();
  if (user === undefined || uid === user) return true;
  return process.platform === 'darwin' && user === ROOT && uid === MACOS_UNKNOWN_OWNER;
}

export function isOwnedByUsOrRoot({ uid }: Pick<Stats, 'uid'>): boolean {
  return uid === ROOT || uid === process.geteuid?.();
}

export function isWritableByOthers({ mode }: Pick<Stats, 'mode'>): boolean {
  return (mode & WRITABLE_BY_OTHERS) !== 0;
}

/** True if only this user and root can change it or, in a sticky directory, their own entries in it. */
export function isWritableOnlyByUsOrRoot(stats: Pick<Stats, 'uid' | 'mode'>): boolean {
  if (process.geteuid === undefined) return true;
  // On a file, the bit means nothing.
  const isDirectory = (stats.mode & constants.S_IFMT) === constants.S_IFDIR;
  const isSticky = isDirectory && (stats.mode & STICKY) !== 0;
  return isOwnedByUsOrRoot(stats) && (!isWritableByOthers(stats) || isSticky);
}

/** True if a program serves the files there, and can invent their owners. */
export async function isUserspaceFilesystem(directory: string): Promise<boolean> {
  return USERSPACE_TYPES.includes((await statfs(directory)).type);
}
