/** A very short run, for the library and for the command line. */
export const SMALL_OPTIONS = { size: 0.01, iopsDuration: 0.1, threads: 2 } as const;

export const SMALL_FLAGS = ['--size', '0.01', '--iops-duration', '0.1', '--threads', '2'] as const;
