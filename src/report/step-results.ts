import { isServedByDevice, primaryRateOf, type TargetKind } from './rate.js';
import { isComplete, type Results, type StepValues } from './results.js';
import type { Measurement, Report } from './schema/report.js';
import { averageRuns, computeMean } from './statistics/statistics.js';

/** A step of a list, and its measurements in the runs so far. */
export type StepResult = ReturnType<typeof listStepResults>[number];

/** Returns the results of all steps, in the order of the request. */
export function listStepResults(report: Report, measurements = allMeasurements(report)) {
  return (report.options.steps ?? []).map((step) => {
    return { step, measurements: measurements.filter((one) => one.step === step.name) };
  });
}

/** Returns the measurements of all runs, also of an incomplete run. */
export function allMeasurements({ runs }: Pick<Report, 'runs'>): readonly Measurement[] {
  return runs.flatMap(({ measurements }) => measurements);
}

/** Returns the operations per second of each measurement as timed, possibly with cached data. */
export function timedOperations({ step, measurements }: StepResult): readonly number[] {
  return measurements.map((one) => {
    const rate = primaryRateOf<number>(one);
    return one.primaryRate === 'bytes' ? rate / step.ioBytes : rate;
  });
}

/** Returns the operations per second: the disk's, or for data in RAM those timed. Null if a cache served a measurement. */
export function knownOperations(result: StepResult, { isMemory }: TargetKind): readonly number[] | null {
  const { measurements } = result;
  const areKnown = isMemory || measurements.every(({ device }) => isServedByDevice(device.share));
  return measurements.length > 0 && areKnown ? timedOperations(result) : null;
}

export interface LatencyRow {
  readonly latencyNs: StepValues['latencyNs'] | null;
}
export type LatencyName = keyof StepValues['latencyNs'];

/** Returns the mean over the runs. Null if unknown. */
export function meanLatency(rows: readonly LatencyRow[], name: LatencyName): number | null {
  const values = rows.map(({ latencyNs }) => latencyNs?.[name]).filter((ns) => ns !== undefined);
  return values.length === 0 ? null : averageRuns(values);
}

/** Returns the mean of the shares that the device served. Null if one is unknown. */
export function meanDeviceShare(measurements: readonly Measurement[]): number | null {
  const shares = measurements.map(({ device }) => device.share).filter((share) => share !== null);
  return shares.length < measurements.length ? null : computeMean(shares);
}

/** A step, its results in the complete runs, and the operations per second of each run. These are null if unknown. */
export type CompleteStep = ReturnType<typeof listCompleteSteps>[number];

/** Returns the steps of these phases, in the order of the request. */
export function listCompleteSteps(report: Report, phases: readonly string[]) {
  const measurements = report.runs.filter(isComplete).flatMap((run) => run.measurements);
  return listStepResults(report, measurements)
    .filter(({ step }) => phases.includes(step.phase))
    .map((result) => ({ ...result, operations: knownOperations(result, report.target) }));
}

/** Returns the mean of a value over the runs. Null without a rate. */
export function meanOfRuns(result: CompleteStep, getValue: (one: Measurement) => number): number | null {
  return result.operations && averageRuns(result.measurements.map(getValue));
}

/** Other programs' results have no steps. */
export function listReports(results: readonly Results[]): readonly Report[] {
  return results.map(({ report }) => report).filter((report) => report !== null);
}
