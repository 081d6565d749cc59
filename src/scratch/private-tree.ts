import type { Dirent } from 'node:fs';
import { chmod, lstat, readdir, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { readMountInfo } from '../machine/mount.js';
import { hasCode, nullIfMissing, type SystemError } from '../system-error.js';
import type { DirectoryHandle } from './safe-path/directory-handle.js';
import { retryWhileBusy } from './safe-path/own-file.js';
import type { RemovalLog } from './small-files.js';

/** Number of entries to remove at once. */
const BATCH = 64;
/** What the owner needs in order to list and empty a directory. */
const OWNER_ACCESS = 0o700;

/**
 * Removes an entry of a scratch directory and all that is in it, whatever its names and modes, but follows no link and
 * enters no mount. Only this user can reach into a scratch directory, so end this user's processes in it first.
 */
export async function removePrivateTree(
  scratch: DirectoryHandle,
  name: string,
  log: RemovalLog,
): Promise<void> {
  const root = path.join(scratch.root, name);
  const stats = await nullIfMissing(lstat(root));
  if (stats === null) return;
  const mounts = (await readMountInfo()) ?? [];
  const mount = mounts.find((one) => `${one.path}/`.startsWith(`${path.join(scratch.resolved, name)}/`));
  if (mount) throw new Error(`unmount ${mount.path} first`);
  if (stats.isDirectory()) await removeDirectory(root, log);
  else await removeEntry(root, log);
}

async function removeDirectory(directory: string, log: RemovalLog): Promise<void> {
  const { mode } = await lstat(directory);
  if ((mode & OWNER_ACCESS) !== OWNER_ACCESS) await chmod(directory, mode | OWNER_ACCESS);
  await removeContents(directory, log);
  // A process that is about to end may still have created a file.
  await retryWhileBusy(
    () => rmdir(directory),
    async (error) => hasCode(error, 'ENOTEMPTY') && (await removeContents(directory, log)),
  );
}

/** Returns true if it removed a file. */
async function removeContents(directory: string, log: RemovalLog): Promise<boolean> {
  const removedBefore = log.removedFiles;
  const entries = await readdir(directory, { withFileTypes: true });
  const remove = async (entry: Dirent) => {
    const entryPath = path.join(directory, entry.name);
    const removal = entry.isDirectory() ? removeDirectory(entryPath, log) : removeEntry(entryPath, log);
    await nullIfMissing(removal).catch((error: SystemError) => {
      log.failures.push(error);
    });
  };
  for (let start = 0; start < entries.length; start += BATCH)
    await Promise.all(entries.slice(start, start + BATCH).map(remove));
  return log.removedFiles > removedBefore;
}

async function removeEntry(entryPath: string, log: RemovalLog): Promise<void> {
  await unlink(entryPath);
  log.removedFiles += 1;
}
