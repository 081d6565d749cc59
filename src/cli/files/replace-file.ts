import type { Stats } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import path from 'node:path';
import { createFile } from '../../scratch/safe-path/own-file.js';
import { renameFile } from '../../scratch/safe-path/retry.js';
import { hasCode, nullIfMissing } from '../../system-error.js';

const PERMISSIONS = 0o777;

/** Creates or replaces a file of --out atomically, and returns it open for appending. */
export async function replaceFile(target: string, temporary: string, text: string): Promise<FileHandle> {
  const found = await nullIfMissing(lstat(target));
  const replaced = found?.isFile() ? found : null;
  return createFile(temporary, replaced ? replaced.mode & PERMISSIONS : 0o666, async (handle) => {
    await handle.writeFile(text);
    if (replaced) await copyOwnership(handle, replaced);
    await handle.sync();
    await renameFile(temporary, target);
    await syncDirectory(path.dirname(target));
  });
}

/**
 * Keeps the file's owner and mode when root replaces it. Ignores errors: only root may change an owner, some mounts
 * reject any mode change, and Node's permission model forbids both.
 */
async function copyOwnership(handle: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  await handle.chown(uid, gid).catch(() => {});
  await handle.chmod(mode & PERMISSIONS).catch(() => {});
}

/** Errors where this user may not open or sync a directory, or the system cannot. */
const UNSUPPORTED_CODES = ['EACCES', 'EPERM', 'EISDIR', 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EBADF'];

/** Makes a rename survive a power failure. */
async function syncDirectory(directory: string): Promise<void> {
  try {
    await using handle = await open(directory);
    await handle.sync();
  } catch (error) {
    if (!hasCode(error, ...UNSUPPORTED_CODES)) throw error;
  }
}
