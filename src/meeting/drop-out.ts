import { setTimeout } from 'node:timers/promises';
import { joined } from './joined.js';

/** By then member 0 has said the same, if it has the same to say. */
const FIRST_MS = 500;
/** mpiexec ends all without waiting for their last words. */
const DELIVERY_MS = 100;

/**
 * For a process that has to end before it has met the others of its job, who would wait for it: says why, in most cases
 * once for all, and has the launcher end them.
 */
export async function dropOut(
  env: Readonly<Record<string, string | undefined>>,
  exitCode: number,
  say: () => void,
): Promise<void> {
  const exchange = await joined(env, '').catch(() => null);
  if (exchange && exchange.member > 0) await setTimeout(FIRST_MS);
  say();
  if (!exchange) return;
  await setTimeout(DELIVERY_MS);
  await exchange.abort(exitCode);
}
