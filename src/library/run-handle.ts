import type { RunEvent } from '../report/events/event.js';
import type { Report } from '../report/schema/report.js';
import type { RunHooks } from '../run/run-context.js';
import { EventLog } from './event-log.js';

/**
 * A run in progress: a promise of its report, and an async iterable of its events.
 *
 * The run never waits for its readers. A loop may be slow, start late or be a second loop: it gets every event from the
 * start, but only the newest 600 samples. Leaving the loop early, by `break`, `return` or an exception, aborts the run
 * and waits until it has cleaned up. If the run rejects, the loop throws the same error.
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
  const log = new EventLog();
  // Not AbortSignal.any(), which leaks when the caller's signal lives as long as the program.
  const controller = new AbortController();
  const forwardAbort = () => controller.abort(signal?.reason);
  if (signal?.aborted) forwardAbort();
  signal?.addEventListener('abort', forwardAbort);

  const emit = (event: RunEvent) => {
    log.add(event);
    onEvent?.(event);
  };
  const report = measure({ ...hooks, signal: controller.signal, onEvent: emit }).finally(() => {
    signal?.removeEventListener('abort', forwardAbort);
    log.close();
  });
  // The caller may await it or loop later; until then it must not be an unhandled rejection.
  report.catch(() => {});

  async function* events(): AsyncGenerator<RunEvent, void, undefined> {
    try {
      yield* log.read();
    } finally {
      controller.abort(ABORT_REASON);
      await report;
    }
  }
  return Object.assign(report, { [Symbol.asyncIterator]: events });
}
