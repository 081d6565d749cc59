import { stepValues } from './report-to-results.js';
import { isComplete, type Results, runsToShow, type StepValues } from './results.js';
import type { Measurement, Report, Run } from './schema/report.js';

/** A step of a list, and its results in the runs. */
export type StepResult = ReturnType<typeof listStepResults>[number];

/** Returns the results of all steps, in the order of the request. */
export function listStepResults(
  report: Report,
  runs: readonly Pick<Run, 'measurements'>[] = runsToShow(report.runs),
) {
  const all = runs.flatMap(({ measurements }) => measurements);
  return (report.options.steps ?? []).map((step) => {
    const measurements = all.filter((one) => one.step === step.name);
    return { step, measurements, rows: measurements.map((one) => stepValues(one, report)) };
  });
}

/** Returns the results of the reads or the writes of a step that does both. Empty for other steps. */
export function listPartResults(
  { measurements }: StepResult,
  part: 'reads' | 'writes',
  report: Report,
): readonly StepValues[] {
  const parts = measurements.flatMap((one) => (one[part] ? [{ ...one, ...one[part] }] : []));
  return parts.map((one) => stepValues(one, report));
}

/** Returns the measurements of all runs, also of an incomplete run. */
export function allMeasurements({ runs }: Pick<Report, 'runs'>): readonly Measurement[] {
  return runs.flatMap(({ measurements }) => measurements);
}

/** A step, its results in the complete runs, and whether these are the disk's or, for data in RAM, as timed. */
export type CompleteStep = ReturnType<typeof listCompleteSteps>[number];

/** Returns the steps of these phases, in the order of the request. */
export function listCompleteSteps(report: Report, phases: readonly string[]) {
  return listStepResults(report, report.runs.filter(isComplete))
    .filter(({ step }) => phases.includes(step.phase))
    .map((result) => {
      const isServed = result.rows.every((one) => one.isServedByDevice);
      return { ...result, isKnown: result.rows.length > 0 && (report.target.isMemory || isServed) };
    });
}

/** Other programs' results have no steps. */
export function listReports(results: readonly Results[]): readonly Report[] {
  return results.map(({ report }) => report).filter((report) => report !== null);
}
