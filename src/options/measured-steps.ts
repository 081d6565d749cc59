/** Everything that a run measures. */
export type MeasuredSteps = readonly { readonly name: string; readonly phase: string }[];

/** The options that choose what a run measures, of a request or of a report. */
export interface MeasuredOptions {
  readonly steps?: MeasuredSteps | undefined;
  readonly phases: readonly string[];
}

/** Returns the name and the phase of each step or phase that these options measure. */
export function listSteps({ steps, phases }: MeasuredOptions): MeasuredSteps {
  return steps ?? phases.map((phase) => ({ name: phase, phase }));
}
