import { groupBy } from '../text/group-by.js';
import type { Latency, Report, Run } from './schema/report.js';

/** The results of one phase of one run, by any program. Null if unknown. */
export interface PhaseFigures {
  readonly phase: string;
  readonly title: string;
  /** Which of the two rates is the main one. */
  readonly primaryRate: 'bytes' | 'operations';
  /** Both rates are null if an ancestor printed `+++++`: the time was too short. */
  readonly bytesPerSecond: number | null;
  readonly operationsPerSecond: number | null;
  readonly durableBytesPerSecond: number | null;
  /** The main rate as timed, of which memory may have served a part. Null if the program gives but one rate. */
  readonly timedPerSecond: number | null;
  /** The main rate without memory's help. Other programs give one rate, which is taken for it. */
  readonly devicePerSecond: number | null;
  /** That of the slowest host of a job of several processes. */
  readonly slowestPerSecond?: number | null;
  /** Whether the device served it, and not memory. Other programs do not say, and are taken at their word. */
  readonly isServedByDevice: boolean;
  readonly bytes: number | null;
  readonly operations: number | null;
  readonly seconds: number | null;
  /** The ancestors give the longest operation only. */
  readonly latencyNs: Partial<Omit<Latency, 'samples' | 'buckets'>>;
  readonly deviceShare: number | null;
  /** The main rate on data that is in the page cache. Null if unknown. */
  readonly ceilingPerSecond?: number | null;
  readonly cpuPercent: number | null;
}

/** How the file tests were set up. */
export interface FileSet {
  readonly count: number;
  readonly kind: 'files' | 'hard-links' | 'symlinks';
  readonly minBytes: number;
  readonly maxBytes: number;
  readonly directories: number;
  /** Bytes of a file that one call moves. */
  readonly chunkBytes: number | null;
}

/** Which program measured, and where. */
export interface Provenance {
  readonly program: { readonly name: string; readonly version: string | null };
  /** The machine's name, or the user's label. */
  readonly label: string;
  readonly directory: string | null;
}

/** One run: its figures, and how it was measured as far as the ancestors report that, too. */
export interface RunResult extends Provenance {
  readonly startedAt: string | null;
  readonly state: Run['state'];
  /** Size of the data of the block tests. Null if they did not run. */
  readonly sizeBytes: number | null;
  /** The number of files that hold it, for Bonnie's `3*1024`. */
  readonly dataFiles: number;
  readonly chunkBytes: number | null;
  readonly threads: number;
  readonly seed: string | null;
  readonly seeks: number | null;
  readonly seekThreads: number | null;
  /** Whether the time of a write includes its sync. */
  readonly synced: boolean;
  /** Whether the byte-wise tests took no lock for each byte. */
  readonly unlocked: boolean;
  readonly files: FileSet | null;
  readonly phases: readonly PhaseFigures[];
}

/** The results of a file or of a report, from which every format is rendered. */
export interface Results {
  readonly runs: readonly RunResult[];
  /** gobonnie's whole report. Null if another program measured. */
  readonly report: Report | null;
  /** The user's name for it, such as its file. */
  readonly name?: string;
}

/** True if the run completed. Only complete runs count in means and comparisons. */
export function isComplete({ state }: Pick<Run, 'state'>): boolean {
  return state === 'completed';
}

export function completeRuns(results: readonly Results[]): readonly RunResult[] {
  return results.flatMap(({ runs }) => runs.filter(isComplete));
}

/** The same phase of several runs. */
export type PhaseRows = readonly [first: PhaseFigures, ...others: PhaseFigures[]];

/** Groups the runs' results by phase, in the order of measurement. */
export function groupByPhase(runs: readonly RunResult[]): readonly PhaseRows[] {
  return groupBy(
    runs.flatMap(({ phases }) => phases),
    ({ phase }) => phase,
  );
}

/** Splits results by machine and program: another program's file may hold several. A report has one machine. */
export function splitByMachine(results: readonly Results[]): readonly Results[] {
  return results.flatMap(({ report, runs }): readonly Results[] => {
    if (report) return [{ report, runs }];
    const groups = groupBy(runs, ({ label, program }) => JSON.stringify([label, program]));
    return groups.map((group) => ({ report: null, runs: group }));
  });
}

export function findProvenance({ report, runs: [first] }: Results): Provenance {
  if (report)
    return {
      program: { name: 'gobonnie', version: report.version },
      label: report.label,
      directory: report.target.directory,
    };
  if (!first) throw new Error('results of another program hold at least one run');
  return first;
}
