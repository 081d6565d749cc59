import { rmdir, unlink } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { HELD, PATIENCE_MS, RETRY_MS } from '../../../workers/files/held.js';
import { hasCode } from '../../system-error.js';

/** Whether a removal may succeed a moment later. */
type MayPass = (error: unknown) => boolean | Promise<boolean>;

export const isHeld = (error: unknown) => hasCode(error, ...HELD);

/** Tries again for a while after such errors. */
export async function patiently(act: () => Promise<void>, mayPass: MayPass = isHeld): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (true) {
    try {
      return await act();
    } catch (error) {
      if (performance.now() > end || !(await mayPass(error))) throw error;
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
