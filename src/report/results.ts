import { groupsOf } from '../text/groups.js';
import { isComplete } from './schema/complete.js';
import type { Latency, Report, Run } from './schema/report.js';

/** The figures of one phase of one run, whichever program measured it. What it does not tell is null. */
export interface PhaseFigures {
  readonly phase: string;
  readonly title: string;
  /** What its rate counts. */
  readonly figure: 'bytes' | 'operations';
  /** Both rates are null where an ancestor did not trust its clock: `+++++`. */
  readonly bytesPerSecond: number | null;
  readonly operationsPerSecond: number | null;
  readonly durableBytesPerSecond: number | null;
  readonly bytes: number | null;
  readonly operations: number | null;
  readonly seconds: number | null;
  /** The ancestors tell the longest operation alone. */
  readonly latencyNs: Partial<Omit<Latency, 'samples' | 'buckets'>>;
  readonly deviceShare: number | null;
  readonly cpuPercent: number | null;
}

/** How the file tests were set up. */
export interface FileSet {
  readonly count: number;
  readonly kind: 'files' | 'hard-links' | 'symlinks';
  readonly minBytes: number;
  readonly maxBytes: number;
  readonly directories: number;
  /** How much of a file one call moves. */
  readonly chunkBytes: number | null;
}

/** Whose figures they are. */
export interface Provenance {
  readonly program: { readonly name: string; readonly version: string | null };
  /** The machine's name, or what the user called it. */
  readonly label: string;
  readonly directory: string | null;
}

/** One run: how it was measured, in the words that the whole family shares, and its figures. */
export interface RunResult extends Provenance {
  readonly startedAt: string | null;
  readonly state: Run['state'];
  /** All data of the block tests. Null if they were left out. */
  readonly sizeBytes: number | null;
  /** The number of files that hold it, for Bonnie's `3*1024`. */
  readonly volumes: number;
  readonly chunkBytes: number | null;
  readonly threads: number;
  readonly seed: string | null;
  readonly seeks: number | null;
  readonly seekers: number | null;
  /** Whether the time of a write includes its sync. */
  readonly synced: boolean;
  /** Whether the byte-wise tests went without a lock for each byte. */
  readonly unlocked: boolean;
  readonly files: FileSet | null;
  readonly phases: readonly PhaseFigures[];
}

/** What a file holds, or a report: every format is made from this. */
export interface Results {
  readonly runs: readonly RunResult[];
  /** All that gobonnie knew. Null if another program measured. */
  readonly report: Report | null;
}

/** The rate that a phase is known by. */
export function rateOf<Rate extends number | null>({
  figure,
  bytesPerSecond,
  operationsPerSecond,
}: Pick<PhaseFigures, 'figure'> & {
  readonly [Name in 'bytesPerSecond' | 'operationsPerSecond']: Rate;
}): Rate {
  return figure === 'bytes' ? bytesPerSecond : operationsPerSecond;
}

export function completeRuns(results: readonly Results[]): readonly RunResult[] {
  return results.flatMap(({ runs }) => runs.filter(isComplete));
}

/** The same phase of several runs. */
export type PhaseRows = readonly [first: PhaseFigures, ...others: PhaseFigures[]];

/** In the order in which the phases were measured. */
export function phasesOf(runs: readonly RunResult[]): readonly PhaseRows[] {
  return groupsOf(
    runs.flatMap(({ phases }) => phases),
    ({ phase }) => phase,
  );
}

/** A report is of one machine; another program's file may tell of several. */
export function byMachine(results: readonly Results[]): readonly Results[] {
  return results.flatMap(({ report, runs }): readonly Results[] => {
    if (report) return [{ report, runs }];
    const groups = groupsOf(runs, ({ label, program }) => JSON.stringify([label, program]));
    return groups.map((group) => ({ report: null, runs: group }));
  });
}

/** Of the results of one machine. */
export function provenanceOf({ report, runs: [first] }: Results): Provenance {
  if (report)
    return {
      program: { name: 'gobonnie', version: report.version },
      label: report.label,
      directory: report.target.directory,
    };
  if (!first) throw new Error('results of another program hold at least one run');
  return first;
}
