import { constants, type Stats } from 'node:fs';

const ROOT = 0;
const WRITABLE_BY_GROUP = 0o020;
const WRITABLE_BY_ALL = 0o002;
/** In a directory with this bit, like /tmp, users cannot rename or remove each other's files. */
const STICKY = 0o1000;
/** The owner that macOS shows to root for all files of a volume whose owners it ignores. */
const MACOS_UNKNOWN_OWNER = 99;

/** True if it belongs to this user. Always true on Windows, which has no user IDs. */
export function isOwnedByUs({ uid }: { readonly uid: number | bigint }): boolean {
  const user = process.geteuid?.();
  if (user === undefined || Number(uid) === user) return true;
  return process.platform === 'darwin' && user === ROOT && Number(uid) === MACOS_UNKNOWN_OWNER;
}

export function isOwnedByUsOrRoot({ uid }: Pick<Stats, 'uid'>): boolean {
  return uid === ROOT || uid === process.geteuid?.();
}

/**
 * True if its mode lets other users change a file, or rename the entries of a directory. A group may have other members,
 * unless it is one of `ownGroups`. Always false on Windows, whose modes are invented.
 */
export function canOthersWrite({ mode, gid }: Stats, ownGroups: readonly number[]): boolean {
  if (process.geteuid === undefined) return false;
  // On a file, the sticky bit means nothing.
  const isDirectory = (mode & constants.S_IFMT) === constants.S_IFDIR;
  if (isDirectory && (mode & STICKY) !== 0) return false;
  return (mode & WRITABLE_BY_ALL) !== 0 || ((mode & WRITABLE_BY_GROUP) !== 0 && !ownGroups.includes(gid));
}
