import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { isOwn } from '../scratch/safe-path/trust.js';
import { hasCode } from '../system-error.js';

/** Null if there is none. Other users may have made files of the same name. */
export async function ownText(file: string): Promise<string | null> {
  try {
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return isOwn(await handle.stat()) ? await handle.readFile('utf8') : null;
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ELOOP', 'EACCES')) return null;
    throw error;
  }
}
