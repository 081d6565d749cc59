import { type FileHandle, open, unlink } from 'node:fs/promises';
import { CREATE_NEW } from '../../../workers/protocol.js';
import { hasCode, type SystemError } from '../../system-error.js';

/** For this user alone. */
const FILE_MODE = 0o600;

/** A path that is too long cannot exist. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT', 'ENAMETOOLONG');
}

export function unlessMissing(act: (error: SystemError) => void) {
  return (error: SystemError) => {
    if (!isMissing(error)) act(error);
  };
}

/** Makes an empty file. Fails when anything is there already, a link as well. */
export async function makeFile(file: string): Promise<void> {
  await make(file, async () => {});
}

/** Makes a file that is complete after a power cut, too. When that fails, nothing is left of it. */
export async function makeDurably(file: string, text: string): Promise<void> {
  await make(file, async (handle) => {
    await handle.writeFile(text);
    await handle.datasync();
  });
}

async function make(file: string, fill: (handle: FileHandle) => Promise<void>): Promise<void> {
  const handle = await open(file, CREATE_NEW, FILE_MODE);
  try {
    try {
      await fill(handle);
    } finally {
      await handle.close();
    }
  } catch (error) {
    await unlink(file).catch(() => {});
    // Errors of an open file do not name it.
    throw Object.assign(error as Error, { path: file });
  }
}
