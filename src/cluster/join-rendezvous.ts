import { GobonnieError } from '../errors.js';
import { isSystemError, pathIndependentHint, systemReason } from '../system-error.js';
import { flag, msg } from '../text/message-template.js';
import { MS_PER_SECOND } from '../text/units.js';
import { DirectoryCommunicator, poll, RemovedError } from './directory-communicator.js';
import {
  claimRank,
  createRendezvous,
  listRendezvous,
  type Rendezvous,
  readPresentOwner,
  removeRendezvous,
  removeStaleRendezvous,
} from './rendezvous-files.js';

/** The rank of this process, the number of ranks, and the directory that all ranks share. */
export interface JoinOptions {
  readonly directory: string;
  readonly size: number;
  readonly rank: number;
}

/** Resolves when all ranks of a job have joined. Rejects with the reason of `stop`. */
export async function joinRendezvous(
  options: JoinOptions,
  timeoutSeconds: number,
  stop: AbortSignal,
): Promise<DirectoryCommunicator> {
  const { directory, size } = options;
  const deadline = AbortSignal.timeout(timeoutSeconds * MS_PER_SECOND);
  const candidates = new Candidates(options);
  try {
    return await candidates.join(AbortSignal.any([stop, deadline]));
  } catch (error) {
    await candidates.giveUp();
    stop.throwIfAborted();
    if (deadline.aborted)
      throw new GobonnieError(
        'communication-failed',
        msg`not all of ${flag('ranks', size)} reached ${flag('rendezvous', directory)} within ${timeoutSeconds} s`,
        msg`start each process with its own ${flag('rank')}, or pass a larger ${flag('barrierTimeout')}`,
      );
    if (!isSystemError(error)) throw error;
    throw new GobonnieError(
      'communication-failed',
      msg`cannot set up the job in ${flag('rendezvous', directory)}: ${systemReason(error)}`,
      pathIndependentHint(error) ?? 'pass a directory that all ranks share and can write to',
      { cause: error },
    );
  }
}

/** The rendezvous in a directory in which this process has its rank. Files of killed jobs may be among them. */
class Candidates {
  readonly #options: JoinOptions;
  /** By path. Null if this process could not enter the rendezvous, or it was removed. */
  readonly #entered = new Map<string, DirectoryCommunicator | null>();

  constructor(options: JoinOptions) {
    this.#options = options;
  }

  /** Rank 0 creates a rendezvous; the other ranks enter every rendezvous, because they cannot tell which is new. */
  async join(signal: AbortSignal): Promise<DirectoryCommunicator> {
    const { directory, rank, size } = this.#options;
    if (rank === 0) await removeStaleRendezvous(directory);
    const joined = await poll(signal, async () => {
      if (rank > 0) for (const one of await listRendezvous(directory, 'rendezvous')) await this.#enter(one);
      else if ([...this.#entered.values()].every((one) => one === null))
        await this.#enter(await createRendezvous(directory, 'rendezvous', size));
      return this.#findComplete();
    });
    for (const other of this.#entered.values()) if (other !== joined) await other?.leave(0);
    return joined;
  }

  /** Removes each rendezvous even if other processes are present, because it can no longer succeed. */
  async giveUp(): Promise<void> {
    for (const [path, one] of this.#entered) if (one) await removeRendezvous(path).catch(() => {});
  }

  async #enter(rendezvous: Rendezvous): Promise<void> {
    const { rank, size } = this.#options;
    const { path } = rendezvous;
    if (rendezvous.size !== size || this.#entered.has(path)) return;
    const isClaimed = (await claimRank(path, rank, rank)) !== null;
    this.#entered.set(path, isClaimed ? new DirectoryCommunicator(rendezvous, rank) : null);
    // If this rank was killed and started again, rank 0 creates another rendezvous.
    if (!isClaimed && (await readPresentOwner(path, rank)) === null) await removeRendezvous(path);
  }

  async #findComplete(): Promise<DirectoryCommunicator | null> {
    for (const [path, one] of this.#entered)
      try {
        if (await one?.hasAllRanks()) return one;
      } catch (error) {
        if (!(error instanceof RemovedError)) throw error;
        this.#entered.set(path, null);
      }
    return null;
  }
}
