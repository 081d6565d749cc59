import type { OptionsInput } from '../options/options-schema.js';
import { validateOptions } from '../options/validate-options.js';
import { plan } from '../plan/plan.js';
import type { Report } from '../report/schema/report.js';
import { execute } from '../run/execute.js';
import { StallDetector } from '../run/kernel/stall-detector.js';
import { preflight } from '../run/preflight.js';
import type { RunHooks } from '../run/run-hooks.js';
import { Watcher } from '../scratch/watcher/watcher.js';
import { type ResolvedHooks, type RunHandle, startRun } from './run-handle.js';

/**
 * Measures a disk and resolves to the report. Prints nothing, installs no signal handlers, and can be called several
 * times at once, even for the same directory.
 *
 * Rejects with a `GobonnieError` of kind `usage` if an option is invalid, before it writes anything. Does not reject
 * after an abort or a disk error: then `report.outcome` has the reason, and `report.runs` has the complete runs.
 *
 * @example
 * const report = await run({ dir: '.', size: 0.05, iopsDuration: 0.2 });
 * console.log(report.runs[0]?.measurements);
 *
 * @example
 * const running = run({ size: 0.05, iopsDuration: 0.2 }, { signal: AbortSignal.timeout(60_000) });
 * for await (const event of running)
 *   if (event.type === 'sample') console.log(event.phase, event.bytes / event.seconds);
 * const report = await running;
 */
export function run(options: OptionsInput = {}, hooks: RunHooks = {}): RunHandle {
  return startRun(hooks, (resolvedHooks) => measure(options, resolvedHooks));
}

async function measure(options: OptionsInput, hooks: ResolvedHooks): Promise<Report> {
  const { signal, onEvent } = hooks;
  const validated = validateOptions(options);
  const stallDetector = new StallDetector({
    timeoutSeconds: validated.stallTimeout,
    signal,
    onStall: (stall) => onEvent({ type: 'stall', ...stall }),
  });
  const runPlan = plan(validated, await preflight(validated.dir, stallDetector, () => {}));
  using watcher = new Watcher();
  return await execute(runPlan, hooks, watcher);
}
