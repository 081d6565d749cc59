import type { Report } from './schema/report.js';

/** Returns the name and the phase of everything that the run of a report measures. */
export function reportedSteps({
  options: { steps, phases },
}: Pick<Report, 'options'>): readonly { readonly name: string; readonly phase: string }[] {
  return steps ?? phases.map((phase) => ({ name: phase, phase }));
}
