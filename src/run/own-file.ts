import { constants } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { NO_FOLLOW } from '../../workers/protocol.js';

/** Only the user who runs gobonnie may read what it writes. */
const FILE_MODE = 0o600;
/** With O_EXCL it can only ever be of our own making. */
const MAKE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW;

/** Windows has no such users. */
export function isOwn({ uid }: { readonly uid: number }): boolean {
  return process.geteuid === undefined || uid === process.geteuid();
}

export function unlessMissing(act: (error: NodeJS.ErrnoException) => void) {
  return (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') act(error);
  };
}

/** Makes an empty file, or one that begins with `text`. Where that fails, there is none of our making. */
export async function makeFile(file: string, text = ''): Promise<void> {
  const handle = await open(file, MAKE, FILE_MODE);
  try {
    await writeTo(file, handle, text);
  } catch (error) {
    await unlink(file).catch(() => {});
    throw error;
  }
}

/** Closes it as well. The system's errors say of which descriptor; here they say of which file. */
export async function writeTo(file: string, handle: FileHandle, text: string): Promise<void> {
  try {
    try {
      if (text !== '') await handle.writeFile(text);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw Object.assign(error as NodeJS.ErrnoException, { path: file });
  }
}
