import { inspectMachine } from '../machine/machine.js';
import type { OptionsInput } from '../options/options-schema.js';
import { validateOptions } from '../options/validate-options.js';
import { plan as createPlan, type RunPlan } from '../plan/plan.js';

/** The plan of a run with some options. */
export type Plan = Pick<
  RunPlan,
  'options' | 'machine' | 'directory' | 'threads' | 'totalBytes' | 'neededBytes' | 'phases' | 'warnings'
>;

/**
 * Returns the plan of a `run` with these options: the machine, the test data, the phases in order. Writes nothing.
 *
 * Rejects like `run` if an option is invalid, so it can validate options beforehand.
 *
 * @example
 * const { totalBytes, threads, machine } = await plan({ dir: '.', size: 0.1 });
 * console.log(`${threads} threads would write ${totalBytes} bytes to ${machine.target.filesystem}`);
 */
export async function plan(options: OptionsInput = {}): Promise<Plan> {
  const validated = validateOptions(options);
  const { machine, directory, threads, totalBytes, neededBytes, phases, warnings } = createPlan(
    validated,
    await inspectMachine(validated.dir),
  );
  return { options: validated, machine, directory, threads, totalBytes, neededBytes, phases, warnings };
}
