import { NS_PER_MS } from '../../text/units.js';

/**
 * Calls `callback` once `durationMs` have passed since `startNs`, and never earlier: a timer alone may fire up to a
 * millisecond early. The limit of a timer is longer than any duration option. Returns a function that cancels the call.
 */
export function callAtDeadline(startNs: bigint, durationMs: number, callback: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const check = () => {
    const remainingMs = durationMs - Number(process.hrtime.bigint() - startNs) / NS_PER_MS;
    if (remainingMs <= 0) callback();
    else timer = setTimeout(check, Math.ceil(remainingMs));
  };
  check();
  return () => clearTimeout(timer);
}
