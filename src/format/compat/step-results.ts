import { deviceRate } from '../../report/rate.js';
import { isComplete, type Results } from '../../report/results.js';
import type { Measurement, Report, ReportedStep } from '../../report/schema/report.js';
import { computeMean } from '../../report/statistics/statistics.js';

/** A step and its measurements in the complete runs. */
export interface StepResult {
  readonly step: ReportedStep;
  readonly measurements: readonly Measurement[];
  /** False if the disk's own rate of any run is unknown, or without a complete run. Data in RAM has the timed rate. */
  readonly hasRate: boolean;
}

/** Returns the results of the steps of these phases, in the order of the request. */
export function listStepResults(report: Report, phases: readonly string[]): readonly StepResult[] {
  const { options, runs, target } = report;
  const all = runs.filter(isComplete).flatMap((run) => run.measurements);
  const isKnown = (one: Measurement) => target.isMemory || deviceRate(one, target) !== null;
  return (options.steps ?? [])
    .filter(({ phase }) => phases.includes(phase))
    .map((step) => {
      const measurements = all.filter((one) => one.step === step.name);
      return { step, measurements, hasRate: measurements.length > 0 && measurements.every(isKnown) };
    });
}

/** Returns the mean of a value over the runs. Null without a rate. */
export function meanOfRuns(
  { measurements, hasRate }: StepResult,
  getValue: (measurement: Measurement) => number,
): number | null {
  return hasRate ? computeMean(measurements.map(getValue)) : null;
}

/** Other programs' results have no steps. */
export function listReports(results: readonly Results[]): readonly Report[] {
  return results.map(({ report }) => report).filter((report) => report !== null);
}
