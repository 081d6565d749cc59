import { groupBy } from '../text/group-by.js';
import type { Latency, Measurement, Report, Run } from './schema/report.js';

/** The results of one phase of one run, by any program. Null if unknown. */
export interface StepValues extends Pick<Measurement, 'step' | 'title' | 'primaryRate' | 'copyLatencyNs'> {
  /** Both rates are null if another program printed `+++++` because the time was too short. */
  readonly bytesPerSecond: number | null;
  readonly operationsPerSecond: number | null;
  /** The main rate as timed, possibly with cached data. Null if the program reports only one rate. */
  readonly timedPerSecond: number | null;
  readonly slowestPerSecond?: number | null;
  /** True if the device served the phase. Assumed for other programs, which do not report it. */
  readonly isServedByDevice: boolean;
  readonly bytes: number | null;
  readonly operations: number | null;
  readonly seconds: number | null;
  /** Other programs report only the longest operation. */
  readonly latencyNs: Partial<Omit<Latency, 'samples' | 'buckets'>>;
  readonly deviceShare: number | null;
  /** The main rate on cached data. Null if unknown. */
  readonly ceilingPerSecond?: number | null;
  readonly cpuPercent: number | null;
}

export interface FileSet extends Omit<Report['options']['files'], 'blockBytes'> {
  /** I/O size in bytes. */
  readonly chunkBytes: number | null;
}

/** One run: its results, and the settings that other programs also report. */
export interface RunResult {
  readonly program: { readonly name: string; readonly version: string | null };
  /** The machine's name, or the user's label. */
  readonly label: string;
  readonly directory: string | null;
  readonly startedAt: string | null;
  readonly state: Run['state'];
  /** Data size of the block tests. Null if they did not run. */
  readonly sizeBytes: number | null;
  /** Number of data files, for Bonnie's `3*1024`. */
  readonly dataFiles: number;
  readonly chunkBytes: number | null;
  readonly threads: number;
  readonly seed: string | null;
  readonly seeks: number | null;
  readonly seekThreads: number | null;
  /** True if the time of a write includes its sync. */
  readonly synced: boolean;
  /** True if the byte-wise tests did not lock for each byte. */
  readonly unlocked: boolean;
  readonly files: FileSet | null;
  readonly steps: readonly StepValues[];
}

/** The results in a file or report, which formats render. */
export interface Results {
  readonly runs: readonly RunResult[];
  /** gobonnie's whole report. Null if another program measured. */
  readonly report: Report | null;
  /** The user's name for the results, such as the file name. */
  readonly name?: string;
}

/** True for a complete run. Only complete runs count in means and comparisons. */
export function isComplete({ state }: Pick<Run, 'state'>): boolean {
  return state === 'completed';
}

export function completeRuns(results: readonly Results[]): readonly RunResult[] {
  return results.flatMap(({ runs }) => runs.filter(isComplete));
}

/** Returns the complete runs or, if there are none, the incomplete runs. */
export function runsToShow<AnyRun extends Pick<Run, 'state'>>(runs: readonly AnyRun[]): readonly AnyRun[] {
  const complete = runs.filter(isComplete);
  return complete.length > 0 ? complete : runs;
}

export type StepRows = readonly [first: StepValues, ...others: StepValues[]];

/** Groups the runs' results by phase, in the order of measurement. */
export function groupByStep(runs: readonly RunResult[]): readonly StepRows[] {
  const all = runs.flatMap(({ steps }) => steps);
  return groupBy(all, ({ step }) => step);
}

/** Splits results by machine and program: another program's file may hold several. A report has one machine. */
export function splitByMachine(results: readonly Results[]): readonly Results[] {
  return results.flatMap(({ report, runs }): readonly Results[] => {
    if (report) return [{ report, runs }];
    const groups = groupBy(runs, ({ label, program }) => JSON.stringify([label, program]));
    return groups.map((group) => ({ report: null, runs: group }));
  });
}

/** Returns the program that measured, and where it ran. */
export function findProvenance({ report, runs: [first] }: Results) {
  if (report)
    return {
      program: { name: 'gobonnie', version: report.version },
      label: report.label,
      directory: report.target.directory,
    };
  if (!first) throw new Error('results of another program must contain a run');
  return first;
}
