import { readFileSync } from 'node:fs';
import type { IoBytes } from './protocol.js';

/** Parses the kernel's `io` file of a process or thread. Null if the counts are missing. */
export function parseIo(text: string): IoBytes | null {
  const [, readBytes, writtenBytes] = /^read_bytes: (\d+)\nwrite_bytes: (\d+)$/m.exec(text) ?? [];
  if (writtenBytes === undefined) return null;
  return { readBytes: Number(readBytes), writtenBytes: Number(writtenBytes) };
}

/** Returns the I/O that the kernel has counted for the calling thread. Null on other systems than Linux. */
export function readThreadIo(): IoBytes | null {
  try {
    return parseIo(readFileSync('/proc/thread-self/io', 'utf8'));
  } catch {
    return null;
  }
}

/** Returns the I/O of the calling thread since `before`. */
export function diffThreadIo(before: IoBytes | null): IoBytes | null {
  const after = readThreadIo();
  if (!before || !after) return null;
  return {
    readBytes: after.readBytes - before.readBytes,
    writtenBytes: after.writtenBytes - before.writtenBytes,
  };
}
