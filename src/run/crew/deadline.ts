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
