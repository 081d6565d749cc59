import { performance as loop } from 'node:perf_hooks';

/** Less of it is not told from a machine that was busy. */
export const LEAST_SUSPENDED_MS = 1000;

/**
 * For how long this process did not run, from one look by a timer to the next. A timer that comes late although its
 * thread did nothing but wait for it tells that: the process was stopped, or its machine. Where something kept that
 * thread, a terminal that takes no more, say, it tells nothing.
 */
export class SuspensionClock {
  readonly #everyMs: number;
  #lookedMs = performance.now();
  #idleMs = idleMs();

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /** Since the last look. */
  lookMs(): number {
    const [nowMs, nowIdleMs] = [performance.now(), idleMs()];
    const waitedMs = Math.min(nowMs - this.#lookedMs, nowIdleMs - this.#idleMs);
    this.#lookedMs = nowMs;
    this.#idleMs = nowIdleMs;
    const lateMs = waitedMs - this.#everyMs;
    return lateMs < LEAST_SUSPENDED_MS ? 0 : lateMs;
  }
}

/** How long this thread has waited for anything to do. */
function idleMs(): number {
  return loop.eventLoopUtilization().idle;
}
