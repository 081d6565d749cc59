import { groupBy } from '../text/group-by.js';
import { findMemoryCeiling, isServedByDevice, type TargetKind } from './rate.js';
import { isComplete } from './runs.js';
import type { Latency, Measurement, Report, Run } from './schema/report.js';

/** The results of one phase of one run, by any program. Null if unknown. */
export interface StepValues extends Pick<Measurement, 'step' | 'title' | 'primaryRate'> {
  /** Both rates are null if another program printed `+++++` because the time was too short. */
  readonly bytesPerSecond: number | null;
  readonly operationsPerSecond: number | null;
  /** True if the device served the phase. Assumed for other programs, which do not report it. */
  readonly isServedByDevice: boolean;
  /** True if the data was in RAM, so there is only the rate as timed. */
  readonly isMemory: boolean;
  readonly bytes: number | null;
  readonly operations: number | null;
  readonly seconds: number | null;
  /** Other programs report only the longest operation. */
  readonly latencyNs: Partial<Omit<Latency, 'samples' | 'buckets'>>;
  /** The main rate on cached data. Null if unknown. */
  readonly ceilingPerSecond: number | null;
  readonly cpuPercent: number | null;
  /** gobonnie's whole measurement. Null if another program measured. */
  readonly measurement: Measurement | null;
}

export interface FileSet extends Omit<Report['options']['files'], 'blockBytes'> {
  readonly blockBytes: number | null;
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
  readonly blockBytes: number | null;
  /** Null if unknown. */
  readonly threads: number | null;
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

export function toResults(report: Report): Results {
  return { report, runs: report.runs.map((run) => toRunResult(report, run)) };
}

export function toRunResult(report: Report, run: Run): RunResult {
  const { options } = report;
  const hasData = options.sizeBytes > 0;
  const hasSeeks = options.phases.includes('seeks');
  const place = ({ step }: Measurement) => options.steps?.findIndex(({ name }) => name === step) ?? 0;
  const createsFiles = ['create', 'create-random'].some((phase) => options.phases.includes(phase));
  return {
    ...findProvenance({ report, runs: [] }),
    startedAt: run.startedAt,
    state: run.state,
    sizeBytes: hasData ? options.sizeBytes : null,
    dataFiles: options.dataFilesPerThread,
    blockBytes: hasData ? options.blockSizeBytes : null,
    threads: options.threads,
    seed: String(options.seed),
    seeks: hasSeeks ? options.seeks : null,
    seekThreads: hasSeeks ? (options.seekThreads ?? options.threads) : null,
    synced: options.fsync,
    unlocked: false,
    files: createsFiles ? options.files : null,
    // The runs of a list of steps have different orders; tables show the order of the request.
    steps: run.measurements
      .toSorted((one, other) => place(one) - place(other))
      .map((one) => stepValues(one, report)),
  };
}

export function stepValues(
  measurement: Measurement,
  { target, memoryCeiling }: Pick<Report, 'memoryCeiling'> & { readonly target: TargetKind },
): StepValues {
  return {
    ...measurement,
    measurement,
    isServedByDevice: isServedByDevice(measurement.device.share),
    isMemory: target.isMemory,
    latencyNs: measurement.latencyNs ?? {},
    ceilingPerSecond: findMemoryCeiling(measurement.step, memoryCeiling),
    cpuPercent: measurement.cpu.percent,
  };
}

/** Returns gobonnie's measurements. Empty for other programs. */
export function knownMeasurements(rows: readonly StepValues[]): readonly Measurement[] {
  return rows.map(({ measurement }) => measurement).filter((measurement) => measurement !== null);
}

export function completeRuns(results: readonly Results[]): readonly RunResult[] {
  return results.flatMap(({ runs }) => runs.filter(isComplete));
}

export type StepRows = readonly [first: StepValues, ...others: StepValues[]];

/** Groups the runs' results by phase, in the order of measurement. */
export function groupByStep(runs: readonly RunResult[]): readonly StepRows[] {
  const all = runs.flatMap(({ steps }) => steps);
  return groupBy(all, ({ step }) => step);
}

/** Splits results by machine and program: another program's file may hold several. A report has one machine. */
export function splitByMachine<One extends Results>(results: readonly One[]): readonly One[] {
  return results.flatMap((one) => {
    if (one.report) return [one];
    const groups = groupBy(one.runs, ({ label, program }) => JSON.stringify([label, program]));
    return groups.map((runs) => ({ ...one, runs }));
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

/** `bonnie++ 2.00a`. */
export function programName({ name, version }: RunResult['program']): string {
  return version === null ? name : `${name} ${version}`;
}

/** Other programs' results have no report. */
export function listReports(results: readonly Results[]): readonly Report[] {
  return results.map(({ report }) => report).filter((report) => report !== null);
}
