import { isComplete, type Results } from '../../report/results.js';
import type { Measurement, Report } from '../../report/schema/report.js';
import { computeMean } from '../../report/statistics/statistics.js';
import { knownOperations, listStepResults, type StepResult } from '../../report/step-results.js';

/** A step, and its results in the complete runs. */
export interface CompleteStep extends StepResult {
  /** The operations per second of each run. Null if unknown. */
  readonly operations: readonly number[] | null;
}

/** Returns the steps of these phases, in the order of the request. */
export function listCompleteSteps(report: Report, phases: readonly string[]): readonly CompleteStep[] {
  const measurements = report.runs.filter(isComplete).flatMap((run) => run.measurements);
  return listStepResults(report, measurements)
    .filter(({ step }) => phases.includes(step.phase))
    .map((result) => ({ ...result, operations: knownOperations(result, report.target) }));
}

/** Returns the mean of a value over the runs. Null without a rate. */
export function meanOfRuns(result: CompleteStep, getValue: (one: Measurement) => number): number | null {
  return result.operations && computeMean(result.measurements.map(getValue));
}

/** Other programs' results have no steps. */
export function listReports(results: readonly Results[]): readonly Report[] {
  return results.map(({ report }) => report).filter((report) => report !== null);
}
