import { rename, unlink } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { isFileBusy, RETRY_FOR_MS, RETRY_INTERVAL_MS } from '../../../workers/files/busy-file.js';

export { isFileBusy } from '../../../workers/files/busy-file.js';

/** True if the failed call may soon succeed. */
type TransientCheck = (error: unknown) => boolean | Promise<boolean>;

/** Retries for a while after transient errors. */
export async function retryWhileBusy(
  act: () => Promise<void>,
  isTransient: TransientCheck = isFileBusy,
): Promise<void> {
  const end = performance.now() + RETRY_FOR_MS;
  while (true) {
    try {
      return await act();
    } catch (error) {
      if (performance.now() > end || !(await isTransient(error))) throw error;
    }
    await setTimeout(RETRY_INTERVAL_MS);
  }
}

export function removeFile(file: string): Promise<void> {
  return retryWhileBusy(() => unlink(file));
}

export function renameFile(from: string, to: string): Promise<void> {
  return retryWhileBusy(() => rename(from, to));
}
