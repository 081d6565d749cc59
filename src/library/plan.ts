import { inspectMachine } from '../machine/machine.js';
import { listSteps } from '../options/measured-steps.js';
import type { OptionsInput } from '../options/options-schema.js';
import { validateOptions } from '../options/validate-options.js';
import { plan as createPlan, type RunPlan } from '../plan/plan.js';

/** The plan of a run with some options. */
export interface Plan
  extends Pick<
    RunPlan,
    'options' | 'machine' | 'directory' | 'threads' | 'totalBytes' | 'neededBytes' | 'warnings'
  > {
  /** The names of the steps: of the phases, or of `steps`. */
  readonly steps: readonly string[];
}

/**
 * Returns the plan of a `run` with these options: the machine, the test data, the steps in order. Writes nothing.
 *
 * Rejects like `run` if an option is invalid, so it can validate options beforehand.
 *
 * @example
 * const { totalBytes, threads, machine } = await plan({ dir: '.', size: 0.1 });
 * console.log(`${threads} threads would write ${totalBytes} bytes to ${machine.target.filesystem}`);
 */
export async function plan(options: OptionsInput = {}): Promise<Plan> {
  const validated = validateOptions(options);
  const machine = await inspectMachine(validated.dir);
  const { directory, threads, totalBytes, neededBytes, warnings } = createPlan(validated, machine);
  const steps = listSteps(validated).map(({ name }) => name);
  return { options: validated, machine, directory, threads, totalBytes, neededBytes, steps, warnings };
}
