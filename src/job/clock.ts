/** When a process came to a wait of all, and when it went on: seconds by the clock of its own host. */
export interface Stamp {
  readonly came: number;
  readonly went: number;
}

/** How far a clock is ahead of another, and how far that can be off. */
export interface Ahead {
  readonly seconds: number;
  readonly withinSeconds: number;
}

/** Of this process. It goes on evenly, and its start means nothing. */
export function nowSeconds(): number {
  return Number(process.hrtime.bigint()) / NS_PER_SECOND;
}

const NS_PER_SECOND = 1e9;

/**
 * Nobody goes on before all have come, so each wait that two processes were in tells two bounds: neither came after the
 * other went on. Null if they were in none.
 */
export function aheadOf(own: readonly Stamp[], other: readonly Stamp[]): Ahead | null {
  let [least, most] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const [at, { came, went }] of own.entries()) {
    const stamp = other[at];
    if (!stamp) break;
    least = Math.max(least, came - stamp.went);
    most = Math.min(most, went - stamp.came);
  }
  if (least === Number.NEGATIVE_INFINITY) return null;
  return { seconds: (least + most) / 2, withinSeconds: Math.max(0, (most - least) / 2) };
}
