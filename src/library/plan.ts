import type { Machine } from '../machine/machine-schema.js';
import { listSteps } from '../options/measured-steps.js';
import type { Options, OptionsInput } from '../options/options-schema.js';
import { validateOptions } from '../options/validate-options.js';
import { plan as createPlan } from '../plan/plan.js';
import type { Warning } from '../report/schema/report.js';
import { StallDetector } from '../run/kernel/stall-detector.js';
import { preflight } from '../run/preflight.js';

/** The plan of a run with some options. */
export interface Plan {
  /** The validated options, with defaults. */
  readonly options: Options;
  readonly machine: Machine;
  /** The directory in which `run` would create its temporary directory. */
  readonly directory: string;
  readonly threads: number;
  /** The size of the test data. 0 if only small files are measured. */
  readonly totalBytes: number;
  /** The maximum disk space that the run uses. */
  readonly neededBytes: number;
  /** The names of the steps: of the phases, or of `steps`. */
  readonly steps: readonly string[];
  readonly warnings: readonly Warning[];
}

/**
 * Returns the plan of a `run` with these options: the machine, the size of the test data, the names of the steps. Writes nothing.
 *
 * Rejects like `run` if an option is invalid, so it can validate options beforehand.
 *
 * @example
 * const { totalBytes, threads, machine } = await plan({ dir: '.', size: 0.1 });
 * console.log(`${threads} threads would write ${totalBytes} bytes to ${machine.target.filesystem}`);
 */
export async function plan(options: OptionsInput = {}): Promise<Plan> {
  const validated = validateOptions(options);
  const stallDetector = new StallDetector(0, new AbortController().signal, () => {});
  const machine = await preflight(validated, stallDetector, null);
  const { directory, threads, totalBytes, neededBytes, warnings } = createPlan(validated, machine);
  const steps = listSteps(validated).map(({ name }) => name);
  return { options: validated, machine, directory, threads, totalBytes, neededBytes, steps, warnings };
}
