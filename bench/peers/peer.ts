import type { FamilyFigure } from './bonnie-plus-plus-csv.js';

/** Where the files are: in memory, which varies less than a disk, or on a disk. */
export type Place = 'memory' | 'disk';

/** The space that a measurement needs. */
export interface Space {
  readonly place: Place;
  /** The most it may fill there. */
  readonly sizeBytes: number;
}

/** The work to do, the same for every program. */
export interface Work extends Space {
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
export interface FamilyWork extends Space {
  readonly flags: readonly string[];
  readonly figures: readonly FamilyFigure[];
}

/** Sequential rates in MB/s (10^6 bytes), all others per second. A peer leaves out what it cannot measure. */
export type Figures = { readonly [name in FigureName]?: number };
export type FigureName = 'write' | 'read' | 'iops' | FamilyFigure;

/** A program that does the same work. To add one: a file beside this one, and a row in catalogue.ts. */
export interface Peer<Job extends Space = Work> {
  readonly name: string;
  /** Undefined if the program is not installed. */
  version(signal: AbortSignal): Promise<string | undefined>;
  /** Whether it can do this work. */
  can(work: Job): boolean;
  /** Does the work in an empty directory, which the caller removes. */
  measure(work: Job, directory: string, signal: AbortSignal): Promise<Figures>;
}

/** Gobonnie and the programs that it is compared with at one kind of work. */
export interface Contest<Job extends Space> {
  readonly ours: Peer<Job>;
  readonly theirs: readonly Peer<Job>[];
}
