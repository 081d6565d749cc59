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

/** Returns the growth of counts. Null if one is missing or negative: the counts of a device that came back restart at 0. */
export function diffCounts<Counts extends Record<keyof Counts, number>>(
  before: Counts | null,
  after: Counts | null,
): Counts | null {
  if (before === null || after === null) return null;
  const names = Object.keys(after) as (keyof Counts)[];
  const growth = names.map((name) => [name, after[name] - before[name]] as const);
  return growth.some(([, count]) => count < 0) ? null : (Object.fromEntries(growth) as Counts);
}
