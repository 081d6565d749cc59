import type { BonnieMetric } from './bonnie-plus-plus-csv.js';

/** Location of the files: in memory, which varies less than a disk, or on a disk. */
export type StorageKind = 'memory' | 'disk';

/** The space that a measurement needs. */
export interface Space {
  readonly storageKind: StorageKind;
  /** Maximum size of its files. */
  readonly sizeBytes: number;
}

/** The work to do, the same for every program. */
export interface BlockWork extends Space {
  /** True to bypass the page cache with O_DIRECT. */
  readonly direct: boolean;
  readonly threads: number;
  /** True to use processes that start together, with one thread each, instead of threads. */
  readonly asProcesses?: boolean;
  /** Total size for all threads; each thread has a file with its share. */
  readonly sizeBytes: number;
  readonly blockSizeBytes: number;
  readonly ioSizeBytes: number;
  readonly iopsDurationSeconds: number;
}

/** One run of bonnie++ with its own flags, and the results to compare. */
export interface BonnieWork extends Space {
  readonly flags: readonly string[];
  readonly metrics: readonly BonnieMetric[];
}

/** Sequential rates in MB/s (10^6 bytes), all other rates per second. Without the rates that a peer cannot measure. */
export type ProgramRates = { readonly [name in MetricName]?: number };
export type MetricName = 'write' | 'read' | 'iops' | 'userNanoseconds' | BonnieMetric;

/** A program that does the same work. To add a program, add a file here and a row in program-groups.ts. */
export interface BenchmarkedProgram<W extends Space = BlockWork> {
  readonly name: string;
  /** Undefined if the program is not installed. */
  version(signal: AbortSignal): Promise<string | undefined>;
  /** Returns true if it can do this work. */
  supports(work: W): boolean;
  /** Does the work in an empty directory, which the caller removes. */
  measure(work: W, directory: string, signal: AbortSignal): Promise<ProgramRates>;
}

/** Gobonnie and its peers for one kind of work. */
export interface ProgramGroup<W extends Space> {
  readonly ours: BenchmarkedProgram<W>;
  readonly theirs: readonly BenchmarkedProgram<W>[];
}
