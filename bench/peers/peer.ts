/** Where the files lie: in memory, so that the programs are compared and not a disk's moods, or on a disk. */
export type Place = 'memory' | 'disk';

/** One piece of work, the same for everybody. */
export interface Work {
  readonly place: Place;
  /** Past the page cache, with O_DIRECT. */
  readonly direct: boolean;
  readonly threads: number;
  /** Of all threads together; each has a file of its own share. */
  readonly sizeBytes: number;
  readonly blockSizeBytes: number;
  readonly ioSizeBytes: number;
  readonly iopsDurationSeconds: number;
}

/** Sequential rates in MB/s (10^6 bytes), and random operations per second. A peer leaves out what it cannot do. */
export type Figures = { readonly [name in FigureName]?: number };
export type FigureName = 'write' | 'read' | 'iops';

/** A program that does the same work. A further one is a file beside this and a row in catalogue.ts. */
export interface Peer {
  readonly name: string;
  /** Undefined where the program is not on this machine. */
  version(signal: AbortSignal): Promise<string | undefined>;
  /** Whether this is work for it at all. */
  can(work: Work): boolean;
  /** Writes, reads and seeks in a directory that is empty and that the caller removes. */
  measure(work: Work, directory: string, signal: AbortSignal): Promise<Figures>;
}
