import { GobonnieError } from '../errors.js';
import { errorWithReason, isSystemError, pathIndependentHint } from '../system-error.js';
import { flag, msg } from '../text/message-template.js';
import { MS_PER_SECOND } from '../text/units.js';
import { DirectoryCommunicator, poll, RemovedError } from './directory-communicator.js';
import { Rendezvous, removeRendezvous, removeStaleRendezvous } from './rendezvous.js';

/** The rank of this process, the number of ranks, and the directory that all ranks share. */
export interface JoinOptions {
  readonly directory: string;
  readonly size: number;
  readonly rank: number;
}

/** The rendezvous that this process has entered, by path. Null if it could not, or if the rendezvous was removed. */
type Entered = Map<string, DirectoryCommunicator | null>;

/** Resolves when all ranks of a job have joined. Rejects with the reason of `stop`. */
export async function joinRendezvous(options: JoinOptions, timeoutSeconds: number, stop: AbortSignal) {
  const { directory, size } = options;
  const deadline = AbortSignal.timeout(timeoutSeconds * MS_PER_SECOND);
  const entered: Entered = new Map();
  try {
    const joined = await join(options, entered, AbortSignal.any([stop, deadline]));
    for (const other of entered.values()) if (other !== joined) await other?.leave(0);
    return joined;
  } catch (error) {
    // Remove each rendezvous even if other processes are present, because it can no longer succeed.
    for (const [path, one] of entered) if (one) await removeRendezvous(path).catch(() => {});
    stop.throwIfAborted();
    if (deadline.aborted)
      throw new GobonnieError(
        'communication-failed',
        msg`not all of ${flag('ranks', size)} reached ${flag('rendezvous', directory)} within ${timeoutSeconds} s`,
        msg`start each process with its own ${flag('rank')}, or pass a larger ${flag('barrierTimeout')}`,
      );
    if (!isSystemError(error)) throw error;
    const message = msg`cannot set up the job in ${flag('rendezvous', directory)}`;
    const hint = pathIndependentHint(error) ?? 'pass a directory that all ranks share and can write to';
    throw errorWithReason('communication-failed', message, error, hint);
  }
}

/**
 * Rank 0 creates a rendezvous; the other ranks enter every rendezvous, because they cannot tell which is new. Files of
 * killed jobs may be among them.
 */
async function join(options: JoinOptions, entered: Entered, signal: AbortSignal) {
  const { directory, rank, size } = options;
  if (rank === 0) await removeStaleRendezvous(directory);
  return poll(signal, async () => {
    if (rank > 0) for (const one of await Rendezvous.list(directory)) await enter(one, options, entered);
    else if ([...entered.values()].every((one) => one === null))
      await enter(await Rendezvous.create(directory, size), options, entered);
    return findComplete(entered);
  });
}

async function enter(rendezvous: Rendezvous, { rank, size }: JoinOptions, entered: Entered): Promise<void> {
  const { path } = rendezvous;
  if (rendezvous.size !== size || rendezvous.isRemoved || entered.has(path)) return;
  const isClaimed = await rendezvous.claimRank(rank);
  entered.set(path, isClaimed ? new DirectoryCommunicator(rendezvous, rank) : null);
  // If this rank was killed and started again, rank 0 creates another rendezvous.
  if (!isClaimed && (await rendezvous.readPresentOwner(rank)) === null) await removeRendezvous(path);
}

async function findComplete(entered: Entered): Promise<DirectoryCommunicator | null> {
  for (const [path, one] of entered)
    try {
      if (await one?.hasAllRanks()) return one;
    } catch (error) {
      if (!(error instanceof RemovedError)) throw error;
      entered.set(path, null);
    }
  return null;
}
