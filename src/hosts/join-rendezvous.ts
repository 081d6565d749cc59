import { readdir } from 'node:fs/promises';
import nodePath from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { GobonnieError } from '../errors.js';
import {
  errorWithReason,
  hasCode,
  isSystemError,
  nullIfMissing,
  pathIndependentHint,
} from '../system-error.js';
import { display } from '../text/escape.js';
import { flag, msg } from '../text/message-template.js';
import { MS_PER_SECOND } from '../text/units.js';
import type { Communicator } from './communicator.js';
import { LEFT, Rendezvous, removeRendezvous, removeStaleRendezvous } from './rendezvous.js';

const POLL_MS = 10;
const JOINED = 'joined';

/** A rendezvous in which this process has a rank. Connects processes if no launcher does. */
export class DirectoryCommunicator extends Rendezvous implements Communicator {
  readonly hasImmediateGet = true;
  readonly rank: number;
  #barrierCount = 0;
  #hasSeenAll = false;
  /** After a timeout, the ranks that had arrived: this process no longer waits for the other ranks. Null before. */
  #arrived: readonly string[] | null = null;

  constructor({ path, size }: Rendezvous, rank: number) {
    super(path, size);
    this.rank = rank;
  }

  /**
   * True if all processes have joined, and each has seen that. In the files of a killed job this never becomes true,
   * because its ranks that died before this process joined have not seen it.
   */
  async hasAllRanks(): Promise<boolean> {
    if (!this.#hasSeenAll) {
      if ((await this.countRanks()) < this.size) return false;
      await this.putText(this.rank, JOINED, '');
      this.#hasSeenAll = true;
    }
    return (await readdir(nodePath.join(this.path, JOINED))).length === this.size;
  }

  put(name: string, text: string): Promise<void> {
    return this.#rejectRemoved(this.putText(this.rank, name, text));
  }

  async get(rank: number, name: string): Promise<string> {
    const text = await this.getText(rank, name);
    if (text !== null) return text;
    throw new GobonnieError(
      'communication-failed',
      `rank ${rank} did not write ${display(name)} to ${display(this.path)}`,
      'make sure that all ranks share this directory',
    );
  }

  async barrier(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#barrierCount += 1;
    const name = `barrier.${this.#barrierCount}`;
    await this.put(name, '');
    let arrived: readonly string[] = [];
    try {
      await poll(signal, async () => {
        arrived = await this.#rejectRemoved(readdir(nodePath.join(this.path, name)));
        return arrived.length === this.size;
      });
    } catch (error) {
      // After a signal, the other ranks may still be on their way.
      if (error instanceof DOMException && error.name === 'TimeoutError') this.#arrived = arrived;
      throw error;
    }
  }

  /** The last of the ranks that are still present, or had arrived before a timeout, removes the rendezvous. */
  async leave(): Promise<void> {
    try {
      await this.putText(this.rank, LEFT, '');
      for await (const { rank } of this.findPresent())
        if (this.#arrived === null || this.#arrived.includes(String(rank))) return;
      await removeRendezvous(this.path);
    } catch (error) {
      // Another process has removed it.
      if (hasCode(error, 'ENOENT')) return;
      const message = `could not remove ${display(this.path)}`;
      throw errorWithReason('cleanup-failed', message, error, 'remove it by hand');
    }
  }

  /** Nothing can kill processes on other hosts: they stop on their own when they time out waiting for this rank. */
  abort(): Promise<void> {
    return this.leave();
  }

  async #rejectRemoved<Result>(work: Promise<Result>): Promise<Result> {
    const result = await nullIfMissing(work);
    if (result !== null) return result;
    const message = `another process has removed ${display(this.path)}`;
    throw new GobonnieError('communication-failed', message, 'start all processes again');
  }
}

/** The rank of this process, the number of ranks, and the directory that all ranks share. */
interface JoinOptions {
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
    for (const other of entered.values()) if (other !== joined) await other?.leave();
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
  for (const [path, one] of entered) {
    const isComplete = one && (await nullIfMissing(one.hasAllRanks()));
    if (isComplete) return one;
    // Another process has removed it.
    if (isComplete === null) entered.set(path, null);
  }
  return null;
}

/** Resolves to the first result of `attempt` other than null or false. Rejects with the signal's reason. */
async function poll<Result>(
  signal: AbortSignal,
  attempt: () => Promise<Result | null | false>,
): Promise<Result> {
  for (;;) {
    const result = await attempt();
    if (result !== null && result !== false) return result;
    // The timer rejects with its own error, not with the signal's reason.
    await setTimeout(POLL_MS, undefined, { signal }).catch(() => {});
    signal.throwIfAborted();
  }
}
