/** The load of a step, of a request (`mix`) or of a report (`mixPercent`). */
interface StepLoad {
  readonly mix?: number | undefined;
  readonly mixPercent?: number | undefined;
  readonly syncPerWrite?: string | null | undefined;
}

interface NamedPhase {
  readonly name: string;
  readonly phase: string;
}

/** The options that choose what a run measures, of a request or of a report. */
export interface MeasuredOptions extends StepLoad {
  readonly steps?: readonly (NamedPhase & StepLoad)[] | undefined;
  readonly phases: readonly string[];
  readonly fsyncPerWrite?: boolean | undefined;
}

/** Everything that a run measures. */
export type MeasuredSteps = ReturnType<typeof listSteps>;

/** Returns the name, the phase and the load of each step or phase that these options measure. */
export function listSteps({ steps, phases, mix, mixPercent = mix, fsyncPerWrite = false }: MeasuredOptions) {
  const all: readonly (NamedPhase & StepLoad)[] = steps ?? phases.map((phase) => ({ name: phase, phase }));
  const syncPerWrite = fsyncPerWrite ? 'fsync' : null;
  return all.map((step) => ({
    name: step.name,
    phase: step.phase,
    mixPercent: step.mixPercent ?? step.mix ?? mixPercent,
    syncPerWrite: step.syncPerWrite ?? syncPerWrite,
  }));
}
