import { open, unlink } from 'node:fs/promises';
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

/**
 * Makes a file, which with a text is complete even after a power cut. Fails if anything of that name exists, a link as
 * well; if it fails later, it removes the file again.
 */
export async function makeFile(file: string, text?: string): Promise<void> {
  const handle = await open(file, CREATE_NEW, FILE_MODE);
  try {
    try {
      if (text === undefined) return;
      await handle.writeFile(text);
      await handle.datasync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    await unlink(file).catch(() => {});
    // Errors of an open file do not name it.
    throw Object.assign(error as Error, { path: file });
  }
}
