import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { hasCode } from '../system-error.js';

/** Linux's flag for an unnamed file, which Node does not export. */
const UNNAMED_FILE_FLAG = 0o20200000;

/**
 * Returns whether files in a directory accept direct I/O, by opening an unnamed file that leaves nothing behind. Null if
 * unknown: not every filesystem has unnamed files.
 */
export async function findDirectSupport(directory: string): Promise<boolean | null> {
  if (process.platform !== 'linux') return process.platform === 'win32' ? null : false;
  try {
    const file = await open(directory, UNNAMED_FILE_FLAG | constants.O_DIRECT | constants.O_RDWR, 0o600);
    await file.close();
    return true;
  } catch (error) {
    return hasCode(error, 'EINVAL') ? false : null;
  }
}
