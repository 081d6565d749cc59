import type { Stats } from 'node:fs';

const ROOT = 0;
const WRITABLE_BY_GROUP = 0o020;
const WRITABLE_BY_ALL = 0o002;
/** In such a directory, /tmp say, nobody may rename or remove what is another's. */
const STICKY = 0o1000;

/** Whether root or this user made it. */
export function isByUs({ uid }: Pick<Stats, 'uid'>): boolean {
  return uid === ROOT || uid === process.geteuid?.();
}

/** Whether only this user and root decide what it holds; of a directory, what of theirs it holds. */
export function isOurs(found: Pick<Stats, 'uid' | 'gid' | 'mode'>): boolean {
  const { gid, mode } = found;
  const user = process.geteuid?.();
  if (user === undefined) return true;
  // A group with the number of its only user is that user. Root needs none: what its group may write to has an access
  // list, the most generous entry of which the mode shows there.
  const byGroup = (mode & WRITABLE_BY_GROUP) !== 0 && (gid !== user || user === ROOT);
  const byOthers = byGroup || (mode & WRITABLE_BY_ALL) !== 0;
  return isByUs(found) && (!byOthers || (mode & STICKY) !== 0);
}
