/** A run that is over at once, for the library and for the command line. */
export const SMALL_OPTIONS = { size: 0.01, iopsDuration: 0.1, threads: 2 } as const;

export const SMALL = ['--size', '0.01', '--iops-duration', '0.1', '--threads', '2'] as const;

/** One whose phases last long enough to be met in their midst: small blocks, one thread. */
export const SLOW = ['--size', '0.5', '--block-size', '4k', '--threads', '1'] as const;
