import { EventEmitter, on } from 'node:events';
import type { RunEvent } from '../report/events/event.js';
import type { Report } from '../report/schema/report.js';
import type { RunHooks } from '../run/run-hooks.js';

/**
 * A run in progress: a promise of its report, and an async iterable of its events.
 *
 * A loop receives every event after its own start. The run never waits for a loop, so the unread events of a slow loop
 * remain in memory. Leaving the loop early, by `break`, `return` or an exception, aborts the run and waits until it has
 * cleaned up. If the run rejects, the loop throws the same error.
 */
export interface RunHandle extends Promise<Report>, AsyncIterable<RunEvent> {}

const ABORT_REASON = 'leaving the loop over its events';

/** Hooks with a signal and a listener, even if the caller passed neither. */
export interface ResolvedHooks extends RunHooks {
  readonly signal: AbortSignal;
  readonly onEvent: (event: RunEvent) => void;
}

/** Starts `measure`. Returns its promise together with its events. */
export function startRun(
  { signal, onEvent, ...hooks }: RunHooks,
  measure: (hooks: ResolvedHooks) => Promise<Report>,
): RunHandle {
  const emitter = new EventEmitter();
  let isRunning = true;
  // Not AbortSignal.any(), which leaks when the caller's signal lives as long as the program.
  const controller = new AbortController();
  const forwardAbort = () => controller.abort(signal?.reason);
  if (signal?.aborted) forwardAbort();
  signal?.addEventListener('abort', forwardAbort);

  const emit = (event: RunEvent) => {
    emitter.emit('event', event);
    onEvent?.(event);
  };
  const report = measure({ ...hooks, signal: controller.signal, onEvent: emit }).finally(() => {
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
