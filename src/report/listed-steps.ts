import { knownMeasurements, type StepValues, stepValues } from './results.js';
import { allMeasurements, isComplete, runsToShow } from './runs.js';
import type { Report, ReportedStep } from './schema/report.js';

/** A step of a list, and its results in the runs. */
export type ListedStep = ReturnType<typeof findListedSteps>[number];

/** Returns the results of all steps, in the order of the request. */
export function findListedSteps(report: Report) {
  const all = allMeasurements({ runs: runsToShow(report.runs) });
  return (report.options.steps ?? []).map((step) => {
    const measurements = all.filter((one) => one.step === step.name);
    const rows = measurements.map((one) => stepValues(one, report));
    const isServed = rows.every((one) => one.isMemory || one.isServedByDevice);
    /** True if the results are the disk's or, for data in RAM, as timed. */
    const isKnown = rows.length > 0 && isServed;
    return { step, rows, isKnown };
  });
}

/** Returns the steps of a list that run at the same time as one of them, and this one. */
export function listConcurrent<Step extends Pick<ReportedStep, 'name' | 'beside'>>(
  step: Step,
  steps: readonly Step[],
): readonly Step[] {
  const foreground = step.beside ?? step.name;
  return steps.filter(({ name, beside = name }) => beside === foreground);
}

/** The reads or the writes of a step that does both, or the syncs after its writes. */
export type StepPart = 'reads' | 'writes' | 'sync';

/** Returns the results of a part of a step. Empty if the step has no such part. */
export function listPart({ rows }: ListedStep, part: StepPart, report: Report): readonly StepValues[] {
  const parts = knownMeasurements(rows).flatMap((one) => {
    const own =
      part === 'sync' ? one.syncedWrites && { latencyNs: one.syncedWrites.syncLatencyNs } : one[part];
    return own ? [{ ...one, ...own }] : [];
  });
  return parts.map((one) => stepValues(one, report));
}

/** Returns the steps of these phases with their results in the complete runs, in the order of the request. */
export function listCompleteSteps(report: Report, phases: readonly string[]): readonly ListedStep[] {
  const listed = findListedSteps({ ...report, runs: report.runs.filter(isComplete) });
  return listed.filter(({ step }) => phases.includes(step.phase));
}
