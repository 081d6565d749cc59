import { stat } from 'node:fs/promises';
import path from 'node:path';

const ROOT = 0;
const WRITABLE_BY_GROUP = 0o020;
const WRITABLE_BY_ALL = 0o002;
/** In such a directory, /tmp say, nobody may rename or remove what is another's. */
const STICKY = 0o1000;

/**
 * Whether only this user and root can put something else in the place of what is there, be it by a directory above it.
 * `resolved` has no link in it.
 */
export async function isTrusted(resolved: string): Promise<boolean> {
  const user = process.geteuid?.();
  if (user === undefined) return true;
  const { uid, gid, mode } = await stat(resolved);
  if (uid !== ROOT && uid !== user) return false;
  // A group with the number of its only user is that user.
  const byGroup = (mode & WRITABLE_BY_GROUP) !== 0 && gid !== ROOT && gid !== user;
  const byOthers = byGroup || (mode & WRITABLE_BY_ALL) !== 0;
  if (byOthers && (mode & STICKY) === 0) return false;
  const above = path.dirname(resolved);
  return above === resolved || isTrusted(above);
}
