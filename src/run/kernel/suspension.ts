import { performance as loop } from 'node:perf_hooks';

/** Minimum delay that counts as a suspension: a busy machine may cause a shorter delay. */
export const MIN_SUSPENDED_MS = 1000;

/**
 * Returns a function to call at each tick of a timer. It returns how long this process was suspended (Ctrl-Z, a paused
 * container or VM) since its last call: a tick was late although the thread was idle. A delay while the thread was busy or
 * blocked does not count, and a delay of less than `minLateMs` neither.
 */
export function createSuspensionClock(everyMs: number, minLateMs = MIN_SUSPENDED_MS): () => number {
  let lastMs = performance.now();
  let lastIdleMs = loop.eventLoopUtilization().idle;
  return () => {
    const nowMs = performance.now();
    const nowIdleMs = loop.eventLoopUtilization().idle;
    const waitedMs = Math.min(nowMs - lastMs, nowIdleMs - lastIdleMs);
    lastMs = nowMs;
    lastIdleMs = nowIdleMs;
    const lateMs = waitedMs - everyMs;
    return lateMs < minLateMs ? 0 : lateMs;
  };
}
