import { rename, rmdir, unlink } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { isHeld, PATIENCE_MS, RETRY_MS } from '../../../workers/files/held.js';

export { isHeld, patientlySync } from '../../../workers/files/held.js';

/** Whether what failed may succeed a moment later. */
type MayPass = (error: unknown) => boolean | Promise<boolean>;

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

export function renameFile(from: string, to: string): Promise<void> {
  return patiently(() => rename(from, to));
}
