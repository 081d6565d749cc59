import { slowestHostPerSecond } from './host-summary.js';
import { deviceRate, findMemoryCeiling, isServedByDevice, primaryRateOf } from './rate.js';
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
    unlocked: options.byteMode === 'unlocked',
    files: createsFiles ? { ...files, chunkBytes: blockBytes } : null,
    steps: inRequestedOrder(run.measurements, options).map((one) => stepValues(one, report)),
  };
}

/** The runs of a list of steps have different orders; tables show the order of the request. */
function inRequestedOrder(
  measurements: readonly Measurement[],
  { steps }: Report['options'],
): readonly Measurement[] {
  const place = new Map(steps?.map(({ name }, at) => [name, at]));
  return steps
    ? measurements.toSorted((one, other) => (place.get(one.step) ?? 0) - (place.get(other.step) ?? 0))
    : measurements;
}

interface StepValuesReport extends Pick<Report, 'memoryCeiling'> {
  readonly target: Pick<Report['target'], 'isMemory'>;
}

export function stepValues(
  measurement: Measurement,
  { target, memoryCeiling }: StepValuesReport,
): StepValues {
  return {
    ...measurement,
    durableBytesPerSecond: measurement.durable?.bytesPerSecond ?? null,
    timedPerSecond: primaryRateOf(measurement),
    devicePerSecond: deviceRate(measurement, target),
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
