import { inspectMachine } from '../machine/machine.js';
import type { OptionsInput } from '../options/options-schema.js';
import { validateOptions } from '../options/validate-options.js';
import { plan as createPlan, type Plan } from '../plan/plan.js';
import { withClaims } from '../run/preflight.js';

/**
 * The plan of what `run` would do with these options: the machine, the files, the phases in order. Writes nothing.
 *
 * Rejects like `run` if an option is wrong, so it can check options beforehand.
 *
 * @example
 * const { totalBytes, threads, machine } = await plan({ dir: '.', size: 0.1 });
 * console.log(`${threads} threads would write ${totalBytes} bytes to ${machine.target.filesystem}`);
 */
export async function plan(options: OptionsInput = {}): Promise<Plan> {
  const validated = validateOptions(options);
  return createPlan(validated, await withClaims(await inspectMachine(validated.dir)));
}
