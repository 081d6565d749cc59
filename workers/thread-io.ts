import { readFileSync } from 'node:fs';
import type { IoBytes } from './protocol.js';

/** Only on Linux. */
const COUNTS_FILE = '/proc/thread-self/io';

/** Returns what the kernel has counted for the thread that calls. Null if it does not count it. */
export function readThreadIo(): IoBytes | null {
  try {
    const text = readFileSync(COUNTS_FILE, 'utf8');
    const count = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1]);
    return { readBytes: count('read_bytes'), writtenBytes: count('write_bytes') };
  } catch {
    return null;
  }
}

/** Returns the I/O of the thread that calls since `before`. */
export function diffThreadIo(before: IoBytes | null): IoBytes | null {
  const after = readThreadIo();
  if (!before || !after) return null;
  return {
    readBytes: after.readBytes - before.readBytes,
    writtenBytes: after.writtenBytes - before.writtenBytes,
  };
}
