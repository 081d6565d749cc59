/** When a fault strikes. */
export interface InjectionPoint {
  readonly description: string;
  /** The system call before it: its name, and which of the calls of its thread it is. */
  readonly call: string;
  readonly number: number;
}

/** 163 blocks of 64 KiB in one thread: the moments below count on it. */
export const DATA = '--size 0.01 --threads 1';

export const INJECTION_POINTS = {
  write: { description: 'during the write phase', call: 'pwrite64', number: 7 },
  /** After the reads that load libraries, before the blocks that are compared. */
  read: { description: 'during the read phase', call: 'pread64', number: 20 },
  iops: { description: 'during the iops phase', call: 'pread64', number: 170 },
  create: { description: 'during the create phase', call: 'openat', number: 1000 },
  /** When the second run removes its file. With one thread for all file calls, the calls before are those of --out and of a file that was missing. */
  firstRun: { description: 'after the first run', call: 'unlink', number: 3 },
} as const satisfies Readonly<Record<string, InjectionPoint>>;
