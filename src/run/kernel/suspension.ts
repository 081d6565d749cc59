import { performance as loop } from 'node:perf_hooks';

/** A shorter delay may come from a busy machine. */
export const MIN_SUSPENDED_MS = 1000;

/**
 * Measures for how long this process was suspended (Ctrl-Z, a paused container or VM) between two ticks of a timer: a
 * tick that comes late although the thread was idle. If the thread was busy or blocked, the delay does not count.
 */
export class SuspensionClock {
  readonly #everyMs: number;
  #lastMs = performance.now();
  #idleMs = idleMs();

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /** Time since the last query. */
  takeSuspendedMs(): number {
    const [nowMs, nowIdleMs] = [performance.now(), idleMs()];
    const waitedMs = Math.min(nowMs - this.#lastMs, nowIdleMs - this.#idleMs);
    this.#lastMs = nowMs;
    this.#idleMs = nowIdleMs;
    const lateMs = waitedMs - this.#everyMs;
    return lateMs < MIN_SUSPENDED_MS ? 0 : lateMs;
  }
}

/** How long this thread's event loop has been idle. */
function idleMs(): number {
  return loop.eventLoopUtilization().idle;
}
