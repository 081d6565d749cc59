/** The point of a run at which a fault is injected. */
export interface InjectionPoint {
  readonly description: string;
  /** The fault follows this system call, counted separately in each thread. */
  readonly call: string;
  readonly number: number;
}

/** 163 blocks of 64 KiB in one thread: the numbers below depend on it. */
export const DATA = '--size 0.01 --threads 1';

export const INJECTION_POINTS = {
  write: { description: 'during the write phase', call: 'pwrite64', number: 7 },
  /** After the reads that load libraries, and before the blocks that are compared. */
  read: { description: 'during the read phase', call: 'pread64', number: 20 },
  iops: { description: 'during the iops phase', call: 'pread64', number: 170 },
  create: { description: 'during the create phase', call: 'openat', number: 1000 },
  /** The second run's removal of the first file: unlinks for --out and a missing file come first (one libuv thread). */
  firstRun: { description: 'after the first run', call: 'unlink', number: 3 },
} as const satisfies Readonly<Record<string, InjectionPoint>>;
