import { NS_PER_MS } from '../../text/units.js';

/** The longest that setTimeout can wait. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Calls `act` once `durationMs` have passed since `startNs`, never before: a timer alone may fire up to a millisecond
 * early. Returns a function that cancels it.
 */
export function atDeadline(startNs: bigint, durationMs: number, act: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    const leftMs = durationMs - Number(process.hrtime.bigint() - startNs) / NS_PER_MS;
    if (leftMs <= 0) act();
    else timer = setTimeout(look, Math.min(Math.ceil(leftMs), LONGEST_TIMER_MS));
  };
  look();
  return () => clearTimeout(timer);
}

/** Resolves at that time, or before if `ends` has settled. */
export async function deadlineOr(startNs: bigint, durationMs: number, ends: Promise<unknown>): Promise<void> {
  await new Promise<void>((resolve) => {
    const forget = atDeadline(startNs, durationMs, resolve);
    const end = () => {
      forget();
      resolve();
    };
    void ends.then(end, end);
  });
}
