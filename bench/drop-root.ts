import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { GOBONNIE_FILE } from './programs/gobonnie.js';

const ROOT = 0;
/** User ID of `nobody`, which has no special rights. */
const NOBODY = 65_534;

/**
 * Drops root permanently, and returns the user that remains. As root, gobonnie and gobonniego drop the page cache, but
 * fio does not. On tmpfs, this frees no page but makes the kernel walk all pages: a later read is a third faster, and
 * random operations during the walk are at least 10 % slower.
 */
export function dropRoot(): string {
  if (process.getuid?.() !== ROOT) return userInfo().username;
  if (!canRead(NOBODY))
    return `root, which drops the page cache: ${GOBONNIE_FILE} is not readable by all users`;
  process.setgroups?.([]);
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
  return 'nobody, because root would drop the page cache';
}

function canRead(user: number): boolean {
  process.seteuid?.(user);
  try {
    readFileSync(GOBONNIE_FILE);
    return true;
  } catch {
    return false;
  } finally {
    process.seteuid?.(ROOT);
  }
}
