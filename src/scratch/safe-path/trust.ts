import { constants, type Stats } from 'node:fs';
import { statfs } from 'node:fs/promises';

const ROOT = 0;
/** By its group too: that may have more than the one user of its number, and its bit also tells of access lists. */
const WRITABLE_BY_OTHERS = 0o022;
/** In such a directory, /tmp say, nobody may rename or remove what is another's. */
const STICKY = 0o1000;
/** What statfs calls FUSE, with it virtiofs, and 9p. */
const SERVED_TYPES = [0x65735546, 0x01021997];

/** Whether root or this user made it. */
export function isByUs({ uid }: Pick<Stats, 'uid'>): boolean {
  return uid === ROOT || uid === process.geteuid?.();
}

export function isWritableByOthers({ mode }: Pick<Stats, 'mode'>): boolean {
  return (mode & WRITABLE_BY_OTHERS) !== 0;
}

/** Whether only this user and root decide what it holds; of a directory, what of theirs it holds. */
export function isOurs(found: Pick<Stats, 'uid' | 'mode'>): boolean {
  if (process.geteuid === undefined) return true;
  return isByUs(found) && (!isWritableByOthers(found) || isSticky(found));
}

/** Of a file the bit says nothing. */
function isSticky({ mode }: Pick<Stats, 'mode'>): boolean {
  return (mode & constants.S_IFMT) === constants.S_IFDIR && (mode & STICKY) !== 0;
}

/** Whether a program, anybody's, says whose is what there. */
export async function isServed(place: string): Promise<boolean> {
  return SERVED_TYPES.includes((await statfs(place)).type);
}
