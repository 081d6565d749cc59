import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { GOBONNIE_FILE } from './programs/gobonnie.js';

const ROOT = 0;
/** The id of `nobody`, which has no rights anywhere. */
const NOBODY = 65_534;

/**
 * Gives up root for good, and returns the user from now on. As root gobonnie and gobonniego empty the page cache, but
 * fio does not. On tmpfs that frees no page, but makes the kernel walk through all of them: a later read is a third
 * faster, and random operations meanwhile are 10 % slower or more.
 */
export function dropRoot(): string {
  if (process.getuid?.() !== ROOT) return userInfo().username;
  if (!canRead(NOBODY))
    return `root, who empties the page cache: ${GOBONNIE_FILE} is not readable for everybody`;
  process.setgroups?.([]);
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
  return 'nobody, because root would empty the page cache';
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
