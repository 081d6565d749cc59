import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { GobonnieError } from '../errors.js';
import { errorWithReason, hasCode } from '../system-error.js';
import { display } from '../text/escape.js';
import type { Communicator } from './communicator.js';
import { LEFT, Rendezvous, removeRendezvous } from './rendezvous.js';

const POLL_MS = 10;
/** How long a rank waits for the other ranks to leave. */
const LEAVE_MS = 1000;
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
    return this.#whileItExists(async () => {
      if (!this.#hasSeenAll) {
        if ((await this.countRanks()) < this.size) return false;
        await this.putText(this.rank, JOINED, '');
        this.#hasSeenAll = true;
      }
      return (await readdir(path.join(this.path, JOINED))).length === this.size;
    });
  }

  put(name: string, text: string): Promise<void> {
    return this.#whileItExists(() => this.putText(this.rank, name, text));
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
        arrived = await this.#whileItExists(() => readdir(path.join(this.path, name)));
        return arrived.length === this.size;
      });
    } catch (error) {
      // After a signal, the other ranks may still be on their way.
      if (error instanceof DOMException && error.name === 'TimeoutError') this.#arrived = arrived;
      throw error;
    }
  }

  /** Waits up to `milliseconds` for the other ranks to leave, then removes the rendezvous. A rank that leaves later removes it. */
  async leave(milliseconds = LEAVE_MS): Promise<void> {
    try {
      await this.putText(this.rank, LEFT, '');
      const end = performance.now() + milliseconds;
      while (await this.#hasAwaitedRanks()) {
        if (performance.now() >= end) return;
        await setTimeout(POLL_MS);
      }
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

  async #hasAwaitedRanks(): Promise<boolean> {
    for await (const { rank } of this.findPresent())
      if (this.#arrived === null || this.#arrived.includes(String(rank))) return true;
    return false;
  }

  async #whileItExists<Result>(act: () => Promise<Result>): Promise<Result> {
    try {
      return await act();
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error;
      throw new RemovedError(this.path);
    }
  }
}

/** The other processes no longer wait for this process. */
export class RemovedError extends GobonnieError {
  constructor(rendezvous: string) {
    super(
      'communication-failed',
      `another process has removed ${display(rendezvous)}`,
      'start all processes again',
    );
  }
}

/** Resolves to the first result of `attempt` other than null or false. Rejects with the signal's reason. */
export async function poll<Result>(
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
