import { setTimeout } from 'node:timers/promises';
import type { Communicator } from './communicator.js';
import { connectToLauncher } from './launcher.js';

/** How long to wait for the other ranks. */
const MAX_WAIT_MS = 2000;
/** mpiexec kills all ranks without draining stderr. */
const DELIVERY_MS = 100;
const ABORT_KEY = 'abort';

/**
 * Ends a process that cannot join its job: prints the reason, and has the launcher kill the other ranks, which would
 * wait for it. If every rank aborts, only rank 0 prints.
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
  // A rank that measures also reaches this barrier, but has not put this key.
  for (let rank = 0; rank < communicator.size; rank++) await communicator.get(rank, ABORT_KEY);
  return true;
}
