import { NS_PER_MS } from '../../text/units.js';

/** What setTimeout can wait for at most. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Acts when so many milliseconds have passed since `startNs`, never before: a timer alone counts whole milliseconds, and
 * may come up to one too early. Calling what is returned forgets it.
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
