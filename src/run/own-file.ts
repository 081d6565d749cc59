import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
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

/** Makes an empty file, or one that begins with `text`. */
export async function makeFile(file: string, text = ''): Promise<void> {
  await writeTo(file, await open(file, MAKE, FILE_MODE), text);
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
