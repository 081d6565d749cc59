/** What a row of any of the family's tables holds of one phase. */
export interface Score {
  /** What the rate counts: bytes, or operations (seeks, files). */
  readonly figure: 'bytes' | 'operations';
  /** Null where the ancestor measured it and did not trust its clock: `+++++`. */
  readonly perSecond: number | null;
  readonly cpuPercent: number | null;
  /** The longest single operation. */
  readonly latencyNs: number | null;
  /** How much was done, in bytes or operations, and in what time. */
  readonly amount: number | null;
  readonly seconds: number | null;
}

/** How the file tests were set up. */
export interface FileSet {
  readonly count: number;
  readonly kind: 'files' | 'hard-links' | 'symlinks';
  readonly minBytes: number;
  readonly maxBytes: number;
  readonly directories: number;
  /** How much of a file's data one call moves. Null where that was not said. */
  readonly chunkBytes: number | null;
}

/**
 * What one run came to, in the words that the whole family shares: what any of their tables, rows and documents can be
 * printed from, and what is left of one that is read back. What is not known is null.
 */
export interface Sheet {
  readonly program: { readonly name: string; readonly version: string | null };
  /** The machine's name, or what the user called it. */
  readonly label: string;
  readonly startedAt: string | null;
  /** All data of the block tests. Null where they were left out. */
  readonly sizeBytes: number | null;
  /** So many files hold it, for Bonnie's `3*1024`. */
  readonly volumes: number;
  readonly chunkBytes: number | null;
  /** How many did each test at once. */
  readonly concurrency: number;
  readonly seed: string | null;
  readonly seeks: number | null;
  readonly seekers: number | null;
  /** Whether what was written was synced within the time of the write. */
  readonly synced: boolean;
  /** Whether the byte-wise tests went without a lock for each byte. */
  readonly unlocked: boolean;
  readonly files: FileSet | null;
  /** By the phase's name: putc, write, rewrite, getc, read, seeks, iops, create, stat, delete, create-random, … */
  readonly scores: Readonly<Record<string, Score | undefined>>;
}
