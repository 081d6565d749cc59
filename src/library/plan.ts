import { inspectMachine, type Machine } from '../machine/machine.js';
import type { Options, OptionsInput } from '../options/options-schema.js';
import { validateOptions } from '../options/validate-options.js';
import { plan as createPlan } from '../plan/plan.js';
import type { Warning } from '../report/schema/report.js';
import { withClaims } from '../run/preflight.js';

/** What `run` would do with some options. */
export interface Plan {
  /** The validated options, with defaults. */
  readonly options: Options;
  readonly machine: Machine;
  /** Where the temporary directory would be created. */
  readonly directory: string;
  readonly threads: number;
  /** The test data of the sequential and random phases; 0 without one. */
  readonly totalBytes: number;
  /** The most space that the run takes at any time. */
  readonly neededBytes: number;
  /** The names of the phases, in the order of measurement. */
  readonly phases: readonly string[];
  readonly warnings: readonly Warning[];
}

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
  const { machine, directory, threads, totalBytes, neededBytes, phases, warnings } = createPlan(
    validated,
    await withClaims(await inspectMachine(validated.dir)),
  );
  return { options: validated, machine, directory, threads, totalBytes, neededBytes, phases, warnings };
}
