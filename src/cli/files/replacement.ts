import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, rename, unlink } from 'node:fs/promises';
import path from 'node:path';
import { CREATE_NEW } from '../../../workers/protocol.js';
import { hasCode } from '../../system-error.js';

/** What is written to it later is added at its end. */
const CREATE_GROWING = CREATE_NEW | constants.O_APPEND;
const PERMISSIONS = 0o777;

/** Puts a file in the place of another, or where none is, by way of a temporary one beside it. */
export async function replace(target: string, temporary: string, text: string): Promise<void> {
  await put(target, temporary, text, (handle) => handle.close());
}

/** The same, and leaves it open: what is written to it is added at its end. */
export async function begin(target: string, temporary: string, text: string): Promise<FileHandle> {
  return put(target, temporary, text, async () => {});
}

async function put(
  target: string,
  temporary: string,
  text: string,
  beforeRename: (handle: FileHandle) => Promise<void>,
): Promise<FileHandle> {
  const found = await nullIfMissing(lstat(target));
  const replaced = found?.isFile() ? found : null;
  const handle = await open(temporary, CREATE_GROWING, replaced ? 0o600 : 0o666);
  try {
    await handle.writeFile(text);
    if (replaced) await takeOver(handle, replaced);
    await handle.sync();
    await beforeRename(handle);
    await rename(temporary, target);
  } catch (error) {
    await handle.close().catch(() => {});
    await unlink(temporary).catch(() => {});
    throw error;
  }
  await syncDirectory(path.dirname(target));
  return handle;
}

/** Throws what keeps a file from being made. */
export async function tryToMake(file: string): Promise<void> {
  const handle = await open(file, CREATE_NEW, 0o600);
  // Removed first, so that a close that fails leaves nothing.
  try {
    await unlink(file);
  } finally {
    await handle.close();
  }
}

/** The report of a user who measures as root stays that user's. Nobody else may give a file away. */
async function takeOver(handle: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  await handle.chown(uid, gid).catch(() => {});
  await handle.chmod(mode & PERMISSIONS);
}

/** What a system says that does not let a directory be opened or synced, or not this one by this user. */
const REFUSALS = ['EACCES', 'EPERM', 'EISDIR', 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EBADF'];

/** The file itself is whole by now. What is more than a refusal means that its name may be lost with the power. */
async function syncDirectory(directory: string): Promise<void> {
  try {
    const handle = await open(directory, constants.O_RDONLY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!hasCode(error, ...REFUSALS)) throw error;
  }
}

export async function nullIfMissing(look: Promise<Stats>): Promise<Stats | null> {
  return look.catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  });
}
