import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { hasCode } from '../system-error.js';
import type { DirectoryHandle } from './safe-path/directory-handle.js';

/** Why a directory above stays or needs no removal: something else is in it, or it is gone. */
const STAYS_OR_GONE = ['ENOTEMPTY', 'EEXIST', 'ENOENT'];

/** The directories that have to be made for `directory` to exist, outermost first. */
export async function missingAbove(directory: string): Promise<readonly string[]> {
  const isThere = await lstat(directory).then(
    () => true,
    () => false,
  );
  return isThere ? [] : [...(await missingAbove(path.dirname(directory))), directory];
}

/** Removes the directories that were made if they are empty, but none that the scratch directory was moved into. */
export async function removeUpwards(
  directory: DirectoryHandle,
  [made, ...above]: readonly string[],
): Promise<void> {
  if (made === undefined) return;
  const parent = await directory.parent();
  await parent.use(async () => {
    try {
      if ((await directory.inode()) !== made) return;
      await directory.removeDirectory();
    } catch (error) {
      if (hasCode(error, ...STAYS_OR_GONE)) return;
      throw error;
    }
    await removeUpwards(parent, above);
  });
}
