import { setTimeout } from 'node:timers/promises';
import type { Exchange } from './exchange.js';
import { joined } from './joined.js';

/** How long the others are waited for. */
const MOST_WAIT_MS = 2000;
/** mpiexec ends all without waiting for their last words. */
const DELIVERY_MS = 100;
const NAME = 'drop-out';

/**
 * For a process that has to end before it has met the others of its job, who would wait for it: says why, and has the
 * launcher end them. If all of them drop out, one speaks for all.
 */
export async function dropOut(
  env: Readonly<Record<string, string | undefined>>,
  exitCode: number,
  say: () => void,
): Promise<void> {
  const exchange = await joined(env, '').catch(() => null);
  if (!exchange) return say();
  const areAll = await doAllDropOut(exchange).catch(() => false);
  if (exchange.rank === 0 || !areAll) say();
  if (areAll) return exchange.leave();
  await setTimeout(DELIVERY_MS);
  await exchange.abort(exitCode);
}

async function doAllDropOut(exchange: Exchange): Promise<boolean> {
  await exchange.give(NAME, NAME);
  await exchange.wait(NAME, AbortSignal.timeout(MOST_WAIT_MS));
  // Those that measure wait, too, but have given nothing of this name.
  for (let rank = 0; rank < exchange.size; rank++) await exchange.take(rank, NAME);
  return true;
}
