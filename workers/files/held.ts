import { unlinkSync } from 'node:fs';

/** Windows does not remove what another program has open, such as a virus scanner. */
export const HELD = process.platform === 'win32' ? ['EBUSY', 'EPERM', 'EACCES', 'ENOTEMPTY'] : [];
/** Long enough, as other programs open a file only to look at it. */
export const PATIENCE_MS = 2000;
export const RETRY_MS = 20;

const NEVER_WOKEN = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Tries again for a while if it is held. */
export function unlinkHeld(path: string): void {
  let end: number | undefined;
  while (true) {
    try {
      unlinkSync(path);
      return;
    } catch (error) {
      end ??= performance.now() + PATIENCE_MS;
      if (!HELD.includes((error as NodeJS.ErrnoException).code ?? '') || performance.now() > end) throw error;
      Atomics.wait(NEVER_WOKEN, 0, 0, RETRY_MS);
    }
  }
}
