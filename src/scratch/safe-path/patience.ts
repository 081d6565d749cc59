import { rmdir, unlink } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { hasCode } from '../../system-error.js';

/** Long enough, as other programs open a file only to look at it. */
export const PATIENCE_MS = 2000;
export const RETRY_MS = 20;
/** Windows does not remove what another program has open, such as a virus scanner. */
const HELD = process.platform === 'win32' ? ['EBUSY', 'EPERM', 'EACCES', 'ENOTEMPTY'] : [];

/** Tries again for a while after these errors. */
export async function patiently(act: () => Promise<void>, codes: readonly string[] = HELD): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (true) {
    try {
      return await act();
    } catch (error) {
      if (!hasCode(error, ...codes) || performance.now() > end) throw error;
    }
    await setTimeout(RETRY_MS);
  }
}

export function removeFile(file: string): Promise<void> {
  return patiently(() => unlink(file));
}

export function removeEmptyDirectory(directory: string): Promise<void> {
  return patiently(() => rmdir(directory));
}
