import { EventEmitter, on } from 'node:events';
import { optionError } from '../errors.js';
import type { OptionsInput } from '../options/options-schema.js';
import { validateOptions } from '../options/validate-options.js';
import { plan } from '../plan/plan.js';
import type { RunEvent } from '../report/events/event-record.js';
import type { Report } from '../report/schema/report.js';
import { execute } from '../run/execute.js';
import { StallDetector } from '../run/kernel/stall-detector.js';
import { preflight } from '../run/preflight.js';
import type { RunHooks } from '../run/run-hooks.js';
import { rejectDeno } from '../runtime.js';
import { Watcher } from '../scratch/watcher/watcher.js';
import { display } from '../text/escape.js';

/**
 * A run in progress: a promise of its report, and an async iterable of its events.
 *
 * A loop receives every event after its own start. The run never waits for a loop, so the unread events of a slow loop
 * remain in memory. Leaving the loop early, by `break`, `return` or an exception, aborts the run and waits until it has
 * cleaned up. If the run rejects, the loop throws the same error.
 */
export interface RunHandle extends Promise<Report>, AsyncIterable<RunEvent> {}

const HOOKS = { signal: true, onEvent: true, beforeStep: true } as const satisfies Record<
  keyof RunHooks,
  true
>;
const ABORT_REASON = 'leaving the loop over its events';

/**
 * Measures a disk and resolves to the report. Prints nothing, installs no signal handlers, and can be called several
 * times at once, even for the same directory.
 *
 * Rejects with a `GobonnieError` of kind `usage` if an option is invalid, before it writes anything. Does not reject
 * after an abort or a disk error: then `report.outcome` has the reason, and `report.runs` the completed phases; the
 * last run may be `incomplete`.
 *
 * @example
 * const report = await run({ dir: '.', size: 0.05, iopsDuration: 0.2 });
 * console.log(report.runs[0]?.measurements);
 *
 * @example
 * const running = run({ size: 0.05, iopsDuration: 0.2 }, { signal: AbortSignal.timeout(60_000) });
 * for await (const event of running)
 *   if (event.type === 'sample') console.log(event.step, event.bytes / event.seconds);
 * const report = await running;
 */
export function run(options: OptionsInput = {}, hooks: RunHooks = {}): RunHandle {
  const { signal, onEvent, beforeStep } = hooks;
  const emitter = new EventEmitter();
  let isRunning = true;
  // Not AbortSignal.any(), which leaks when the caller's signal lives as long as the program.
  const controller = new AbortController();
  const forwardAbort = () => controller.abort(signal?.reason);
  if (signal?.aborted) forwardAbort();
  signal?.addEventListener('abort', forwardAbort);

  // An error of a hook ends the run. A system error would become its outcome, as if the disk had failed.
  const hookErrors: unknown[] = [];
  const emit = (event: RunEvent) => {
    // The run is ending, and rejects with the first error.
    if (hookErrors.length > 0) return;
    emitter.emit('event', event);
    try {
      onEvent?.(event);
    } catch (error) {
      hookErrors.push(error);
      throw error;
    }
  };
  const prepareStep: RunHooks['beforeStep'] = async (...step) => {
    try {
      await beforeStep?.(...step);
    } catch (error) {
      // A hook that waits may reject when the run is aborted.
      if (!controller.signal.aborted) hookErrors.push(error);
      throw error;
    }
  };
  const measure = async () => {
    rejectDeno();
    rejectUnknownHooks(hooks);
    const validated = validateOptions(options);
    const stallDetector = new StallDetector(validated.stallTimeout, controller.signal, (stall) =>
      emit({ type: 'stall', ...stall }),
    );
    const runPlan = plan(validated, await preflight(validated, stallDetector, () => {}));
    using watcher = new Watcher();
    const runHooks = { signal: controller.signal, onEvent: emit, beforeStep: beforeStep && prepareStep };
    const report = await execute(runPlan, runHooks, watcher);
    if (hookErrors.length > 0) throw hookErrors[0];
    return report;
  };
  const report = measure().finally(() => {
    signal?.removeEventListener('abort', forwardAbort);
    isRunning = false;
    emitter.emit('close');
  });
  // The caller may await it or loop later; until then it must not be an unhandled rejection.
  report.catch(() => {});

  async function* events(): AsyncGenerator<RunEvent, void, undefined> {
    try {
      if (!isRunning) return;
      const emitted: AsyncIterable<readonly RunEvent[]> = on(emitter, 'event', { close: ['close'] });
      for await (const events of emitted) yield* events;
    } finally {
      controller.abort(ABORT_REASON);
      await report;
    }
  }
  return Object.assign(report, { [Symbol.asyncIterator]: events });
}

function rejectUnknownHooks(hooks: RunHooks): void {
  // The loop also finds the inherited properties of an AbortSignal.
  for (const name in hooks)
    if (!Object.hasOwn(HOOKS, name)) {
      const names = Object.keys(HOOKS).join(', ');
      throw optionError(`there is no hook ${display(name)}`, `pass an object with ${names}`);
    }
}
