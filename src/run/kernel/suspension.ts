import { performance as loop } from 'node:perf_hooks';

/** Minimum delay that counts: a busy machine may cause a shorter delay. */
export const MIN_SUSPENDED_MS = 1000;

/**
 * Measures how long this process was suspended (Ctrl-Z, a paused container or VM) between two ticks of a timer: a tick
 * was late although the thread was idle. A delay while the thread was busy or blocked does not count.
 */
export class SuspensionClock {
  readonly #everyMs: number;
  #lastMs = performance.now();
  #idleMs = loop.eventLoopUtilization().idle;

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /** Returns the suspended time since the last call. Call it at each tick. */
  takeSuspendedMs(): number {
    const nowMs = performance.now();
    const nowIdleMs = loop.eventLoopUtilization().idle;
    const waitedMs = Math.min(nowMs - this.#lastMs, nowIdleMs - this.#idleMs);
    this.#lastMs = nowMs;
    this.#idleMs = nowIdleMs;
    const lateMs = waitedMs - this.#everyMs;
    return lateMs < MIN_SUSPENDED_MS ? 0 : lateMs;
  }
}
