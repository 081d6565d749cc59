import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { PROGRAM } from './peers/gobonnie.js';

const ROOT = 0;
/** Without a name on some machines, without rights on all. */
const NOBODY = 65_534;

/**
 * Stops being root, for good, and says who runs from now on. As root gobonnie and gobonniego empty the page cache, and fio does not.
 * On tmpfs no page goes, but the kernel walks through all of them: that makes a read after it faster by a third
 * and random operations beside it slower by a tenth and more, and the figures would be of that and not of the programs.
 */
export function stopBeingRoot(): string {
  if (process.getuid?.() !== ROOT) return userInfo().username;
  if (!isReadableFor(NOBODY))
    return `root, who empties the page cache: ${PROGRAM} is not everybody's to read`;
  process.setgroups?.([]);
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
  return 'nobody, because root would empty the page cache';
}

function isReadableFor(user: number): boolean {
  process.seteuid?.(user);
  try {
    readFileSync(PROGRAM);
    return true;
  } catch {
    return false;
  } finally {
    process.seteuid?.(ROOT);
  }
}
