import type { Measurement, Report, Run } from './schema/report.js';

/** True for a complete run. Only complete runs count in means and comparisons. */
export function isComplete({ state }: Pick<Run, 'state'>): boolean {
  return state === 'completed';
}

/** Returns the complete runs or, if there are none, the incomplete runs. */
export function runsToShow<AnyRun extends Pick<Run, 'state'>>(runs: readonly AnyRun[]): readonly AnyRun[] {
  const complete = runs.filter(isComplete);
  return complete.length > 0 ? complete : runs;
}

/** Returns the measurements of all runs, also of an incomplete run. */
export function allMeasurements({ runs }: { readonly runs: readonly Pick<Run, 'measurements'>[] }) {
  return runs.flatMap(({ measurements }) => measurements);
}

/** True if the options allow several runs. Available before the first run ends. */
export function hasSeveralRuns({ options }: Pick<Report, 'options'>): boolean {
  return options.runs > 1 || options.minimumSeconds > 0 || options.untilStablePercent !== null;
}

/**
 * Copies a report in progress, with the result so far of a step in progress if there is one. Completed runs and measurements
 * no longer change, so copying the lists is enough.
 */
export function snapshotReport(report: Report, inProgress: readonly Measurement[] = []): Report {
  const runs = report.runs.map((run) =>
    isComplete(run) ? run : { ...run, measurements: [...run.measurements, ...inProgress] },
  );
  return { ...report, runs, warnings: [...report.warnings] };
}
