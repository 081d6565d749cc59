/** When a process came to a wait of all, and when it went on: seconds by the clock of its own host. */
export interface BarrierTimes {
  readonly entered: number;
  readonly left: number;
}

/** How far a clock is ahead of another, and how far that can be off. */
export interface ClockOffset {
  readonly seconds: number;
  readonly errorSeconds: number;
}

/** Of this process. It goes on evenly, and its start means nothing. */
export function monotonicSeconds(): number {
  return Number(process.hrtime.bigint()) / NS_PER_SECOND;
}

const NS_PER_SECOND = 1e9;

/**
 * Nobody goes on before all have come, so each wait that two processes were in tells two bounds: neither came after the
 * other went on. Null if they were in none.
 */
export function estimateClockOffset(
  own: readonly BarrierTimes[],
  other: readonly BarrierTimes[],
): ClockOffset | null {
  let [lower, upper] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const [at, { entered, left }] of own.entries()) {
    const otherTimes = other[at];
    if (!otherTimes) break;
    lower = Math.max(lower, entered - otherTimes.left);
    upper = Math.min(upper, left - otherTimes.entered);
  }
  if (lower === Number.NEGATIVE_INFINITY) return null;
  return { seconds: (lower + upper) / 2, errorSeconds: Math.max(0, (upper - lower) / 2) };
}
