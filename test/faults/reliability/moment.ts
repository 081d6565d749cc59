/** In the midst of what a fault comes. */
export interface Moment {
  readonly words: string;
  /** The system call after which it is, by the number that the call has in its thread. */
  readonly call: string;
  readonly number: number;
}

/** 163 blocks of 64 KiB in one thread: with these the moments are where they say. */
export const DATA = '--size 0.01 --threads 1';

export const MOMENTS = {
  write: { words: 'while it writes', call: 'pwrite64', number: 7 },
  /** Late enough to be no read of a library, early enough for the blocks that are compared. */
  read: { words: 'while it reads', call: 'pread64', number: 20 },
  iops: { words: 'in the random phase', call: 'pread64', number: 170 },
  create: { words: 'while it makes small files', call: 'openat', number: 1000 },
  /** When the second takes its file away, with one thread for all files: the first was --out's, and the next found none. */
  firstRun: { words: 'after the first run', call: 'unlink', number: 3 },
} as const satisfies Readonly<Record<string, Moment>>;
