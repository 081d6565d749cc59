import { NS_PER_MS } from '../../text/units.js';

/** setTimeout's limit. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Calls `callback` once `durationMs` have passed since `startNs`, and never earlier: a timer alone may fire up to a
 * millisecond early. Returns a function that cancels the call.
 */
export function callAtDeadline(startNs: bigint, durationMs: number, callback: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const check = () => {
    const remainingMs = durationMs - Number(process.hrtime.bigint() - startNs) / NS_PER_MS;
    if (remainingMs <= 0) callback();
    else timer = setTimeout(check, Math.min(Math.ceil(remainingMs), MAX_TIMER_MS));
  };
  check();
  return () => clearTimeout(timer);
}
