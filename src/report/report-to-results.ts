import { slowestHostPerSecond } from './host-summary.js';
import { findMemoryCeiling, isServedByDevice, primaryRateOf, type TargetKind } from './rate.js';
import { findProvenance, type Results, type RunResult, type StepValues } from './results.js';
import type { Measurement, Report, Run } from './schema/report.js';

export function toResults(report: Report): Results {
  return { report, runs: report.runs.map((run) => toRunResult(report, run)) };
}

export function toRunResult(report: Report, run: Run): RunResult {
  const { options } = report;
  const { blockBytes, ...files } = options.files;
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
    chunkBytes: hasData ? options.blockSizeBytes : null,
    threads: options.threads,
    seed: String(options.seed),
    seeks: hasSeeks ? options.seeks : null,
    seekThreads: hasSeeks ? (options.seekThreads ?? options.threads) : null,
    synced: options.fsync,
    unlocked: false,
    files: createsFiles ? { ...files, chunkBytes: blockBytes } : null,
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
    timedPerSecond: primaryRateOf(measurement),
    slowestPerSecond: slowestHostPerSecond(measurement, target),
    isServedByDevice: isServedByDevice(measurement.device.share),
    latencyNs: measurement.latencyNs ?? {},
    deviceShare: measurement.device.share,
    ceilingPerSecond: findMemoryCeiling(measurement.step, memoryCeiling),
    cpuPercent: measurement.cpu.percent,
  };
}

/** True if the options allow several runs. Available before the first run ends. */
export function hasSeveralRuns({ options }: Pick<Report, 'options'>): boolean {
  return options.runs > 1 || options.minimumSeconds > 0 || options.untilStablePercent !== null;
}
