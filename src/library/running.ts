import type { RunEvent } from '../report/events/event.js';
import type { Report } from '../report/schema/report.js';
import type { RunHooks } from '../run/run.js';
import { EventLog } from './event-log.js';

/**
 * A run under way: a promise of its report, and its events for whoever loops over them.
 *
 * It does not wait for its readers: the loop may be slow, or start when the run is over, and is given every event from
 * the start (of the samples the newest 600); so is a second loop. Leaving the loop early, by `break`, `return` or an
 * exception, aborts the run and waits until nothing of it is left. What the run rejects with, the loop throws as well.
 */
export interface Running extends Promise<Report>, AsyncIterable<RunEvent> {}

const LEFT = 'leaving the loop over its events';

/** What is heard of a run, be it that nobody listens. */
export interface FullHooks extends RunHooks {
  readonly signal: AbortSignal;
  readonly onEvent: (event: RunEvent) => void;
}

/** Starts `act`, and gives what it will come to together with what happens meanwhile. */
export function running(
  { signal, onEvent, ...hooks }: RunHooks,
  act: (hooks: FullHooks) => Promise<Report>,
): Running {
  const log = new EventLog();
  // Not AbortSignal.any(), which leaves something on a signal that lives as long as its program.
  const stop = new AbortController();
  const forward = () => stop.abort(signal?.reason);
  if (signal?.aborted) forward();
  signal?.addEventListener('abort', forward);

  const tell = (event: RunEvent) => {
    log.add(event);
    onEvent?.(event);
  };
  const report = act({ ...hooks, signal: stop.signal, onEvent: tell }).finally(() => {
    signal?.removeEventListener('abort', forward);
    log.close();
  });
  // It waits for whoever awaits it or loops, be it late; until then it is nobody's unhandled rejection.
  report.catch(() => {});

  async function* events(): AsyncGenerator<RunEvent, void, undefined> {
    try {
      yield* log.read();
    } finally {
      stop.abort(LEFT);
      await report;
    }
  }
  return Object.assign(report, { [Symbol.asyncIterator]: events });
}
