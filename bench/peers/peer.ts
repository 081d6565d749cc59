import type { FamilyFigure } from './bonnie-plus-plus-csv.js';

/** Where the files lie: in memory, so that the programs are compared and not a disk's moods, or on a disk. */
export type Place = 'memory' | 'disk';

/** What any work asks of the lab. */
export interface Room {
  readonly place: Place;
  /** What it fills there at the most. */
  readonly sizeBytes: number;
}

/** One piece of work, the same for everybody. */
export interface Work extends Room {
  /** Past the page cache, with O_DIRECT. */
  readonly direct: boolean;
  readonly threads: number;
  /** Of all threads together; each has a file of its own share. */
  readonly sizeBytes: number;
  readonly blockSizeBytes: number;
  readonly ioSizeBytes: number;
  readonly iopsDurationSeconds: number;
}

/** One run of bonnie++ in its own flags, and the figures of it that are compared. */
export interface FamilyWork extends Room {
  readonly flags: readonly string[];
  readonly figures: readonly FamilyFigure[];
}

/** Sequential rates in MB/s (10^6 bytes), all others per second. A peer leaves out what it cannot do. */
export type Figures = { readonly [name in FigureName]?: number };
export type FigureName = 'write' | 'read' | 'iops' | FamilyFigure;

/** A program that does the same work. A further one is a file beside this and a row in catalogue.ts. */
export interface Peer<Job extends Room = Work> {
  readonly name: string;
  /** Undefined where the program is not on this machine. */
  version(signal: AbortSignal): Promise<string | undefined>;
  /** Whether this is work for it at all. */
  can(work: Job): boolean;
  /** Does the work in a directory that is empty and that the caller removes. */
  measure(work: Job, directory: string, signal: AbortSignal): Promise<Figures>;
}

/** Gobonnie, and whom it is compared with at one kind of work. */
export interface Contest<Job extends Room> {
  readonly ours: Peer<Job>;
  readonly theirs: readonly Peer<Job>[];
}
