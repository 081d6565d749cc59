import type { BonnieMetric } from './bonnie-plus-plus-csv.js';

/** Where the files are: in memory, which varies less than a disk, or on a disk. */
export type StorageKind = 'memory' | 'disk';

/** The space that a measurement needs. */
export interface Space {
  readonly storageKind: StorageKind;
  /** The most it may fill there. */
  readonly sizeBytes: number;
}

/** The work to do, the same for every program. */
export interface BlockWork extends Space {
  /** Whether to bypass the page cache, with O_DIRECT. */
  readonly direct: boolean;
  readonly threads: number;
  /** Whether processes do it that begin together, each with one thread. */
  readonly asProcesses?: boolean;
  /** Of all threads together; each has a file with its share. */
  readonly sizeBytes: number;
  readonly blockSizeBytes: number;
  readonly ioSizeBytes: number;
  readonly iopsDurationSeconds: number;
}

/** One run of bonnie++ with its own flags, and the figures to compare. */
export interface BonnieWork extends Space {
  readonly flags: readonly string[];
  readonly metrics: readonly BonnieMetric[];
}

/** Sequential rates in MB/s (10^6 bytes), all others per second. A peer leaves out what it cannot measure. */
export type ProgramRates = { readonly [name in MetricName]?: number };
export type MetricName = 'write' | 'read' | 'iops' | BonnieMetric;

/** A program that does the same work. To add one: a file beside this one, and a row in catalogue.ts. */
export interface BenchmarkedProgram<W extends Space = BlockWork> {
  readonly name: string;
  /** Undefined if the program is not installed. */
  version(signal: AbortSignal): Promise<string | undefined>;
  /** Whether it can do this work. */
  supports(work: W): boolean;
  /** Does the work in an empty directory, which the caller removes. */
  measure(work: W, directory: string, signal: AbortSignal): Promise<ProgramRates>;
}

/** Gobonnie and the programs that it is compared with at one kind of work. */
export interface ProgramGroup<W extends Space> {
  readonly ours: BenchmarkedProgram<W>;
  readonly theirs: readonly BenchmarkedProgram<W>[];
}
