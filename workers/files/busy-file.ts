/** Windows cannot remove or replace a file that another program, such as a virus scanner, has open. */
const BUSY_CODES = process.platform === 'win32' ? ['EBUSY', 'EPERM', 'EACCES', 'ENOTEMPTY'] : [];
/** Long enough, because other programs open the file only briefly. */
export const RETRY_FOR_MS = 2000;
export const RETRY_INTERVAL_MS = 20;

const NEVER_WOKEN = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

export function isFileBusy(error: unknown): boolean {
  return BUSY_CODES.includes((error as NodeJS.ErrnoException).code ?? '');
}

/** Retries for a while if another program has the file open. */
export function retryWhileBusySync<Result>(act: () => Result): Result {
  // Removals are timed, so the clock is read only after a failure.
  let end: number | undefined;
  while (true) {
    try {
      return act();
    } catch (error) {
      end ??= performance.now() + RETRY_FOR_MS;
      if (performance.now() > end || !isFileBusy(error)) throw error;
      Atomics.wait(NEVER_WOKEN, 0, 0, RETRY_INTERVAL_MS);
    }
  }
}
