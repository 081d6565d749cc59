import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { hasCode } from '../system-error.js';
import type { DirectoryHandle } from './safe-path/directory-handle.js';

/** Codes that end the removal of parents without an error: another entry is in the parent, or it is gone. */
const IGNORED_CODES = ['ENOTEMPTY', 'EEXIST', 'ENOENT'];

/** Returns the directories that must be created for `directory` to exist, outermost first. */
export async function listMissingDirectories(directory: string): Promise<readonly string[]> {
  const exists = await lstat(directory).then(
    () => true,
    () => false,
  );
  return exists ? [] : [...(await listMissingDirectories(path.dirname(directory))), directory];
}

/** Removes the parents that the run created if they are empty, but none that the scratch directory was moved into. */
export async function removeCreatedParents(directory: DirectoryHandle, inodes: readonly string[]) {
  const [innermost, ...outer] = inodes;
  if (innermost === undefined) return;
  await using parent = await directory.parent();
  try {
    if ((await directory.inode()) !== innermost) return;
    await directory.removeDirectory();
  } catch (error) {
    if (hasCode(error, ...IGNORED_CODES)) return;
    throw error;
  }
  await removeCreatedParents(parent, outer);
}
