import { NS_PER_SECOND } from '../text/units.js';

/** When a process entered and left a barrier, in seconds of its own clock. */
export interface BarrierTimes {
  readonly entered: number;
  readonly left: number;
}

/** Monotonic seconds with an arbitrary origin. */
export function monotonicSeconds(): number {
  return Number(process.hrtime.bigint()) / NS_PER_SECOND;
}

/**
 * Returns how far the clock of `own` is ahead of the clock of `other`, with the maximum error. No rank leaves a barrier
 * before all have entered, so each shared barrier gives two bounds. Null if there is no shared barrier.
 */
export function estimateClockOffset(own: readonly BarrierTimes[], other: readonly BarrierTimes[]) {
  let lower = Number.NEGATIVE_INFINITY;
  let upper = Number.POSITIVE_INFINITY;
  for (const [at, { entered, left }] of own.entries()) {
    const otherTimes = other[at];
    if (!otherTimes) break;
    lower = Math.max(lower, entered - otherTimes.left);
    upper = Math.min(upper, left - otherTimes.entered);
  }
  if (lower === Number.NEGATIVE_INFINITY) return null;
  return { seconds: (lower + upper) / 2, errorSeconds: Math.max(0, (upper - lower) / 2) };
}
