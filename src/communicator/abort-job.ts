import { setTimeout } from 'node:timers/promises';
import type { Communicator } from './communicator.js';
import { connectToLauncher } from './launcher.js';

/** How long to wait for the other ranks. */
const MAX_WAIT_MS = 2000;
/** mpiexec ends all without waiting for their last words. */
const DELIVERY_MS = 100;
const ABORT_KEY = 'drop-out';

/**
 * For a process that has to end before it has met the others of its job, who would wait for it: says why, and has the
 * launcher end them. If all of them drop out, one speaks for all.
 */
export async function abortJob(
  env: Readonly<Record<string, string | undefined>>,
  exitCode: number,
  printReason: () => void,
): Promise<void> {
  const communicator = await connectToLauncher(env, '').catch(() => null);
  if (!communicator) return printReason();
  const areAllAborting = await doAllAbort(communicator).catch(() => false);
  if (communicator.rank === 0 || !areAllAborting) printReason();
  if (areAllAborting) return communicator.leave();
  await setTimeout(DELIVERY_MS);
  await communicator.abort(exitCode);
}

async function doAllAbort(communicator: Communicator): Promise<boolean> {
  await communicator.put(ABORT_KEY, ABORT_KEY);
  await communicator.barrier(ABORT_KEY, AbortSignal.timeout(MAX_WAIT_MS));
  // Those that measure wait, too, but have given nothing of this name.
  for (let rank = 0; rank < communicator.size; rank++) await communicator.get(rank, ABORT_KEY);
  return true;
}
