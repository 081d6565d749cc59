import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { GobonnieError } from '../errors.js';
import { currentOwner } from '../scratch/owner.js';
import { readOwnFile, replaceOwnFile } from '../scratch/safe-path/own-file.js';
import { isSystemError, pathIndependentHint, systemReason } from '../system-error.js';
import { display } from '../text/escape.js';
import { flag, msg } from '../text/message-template.js';
import { MS_PER_SECOND } from '../text/units.js';
import type { Communicator } from './communicator.js';
import {
  isRendezvousName,
  ownerFile,
  parseRankFile,
  RENDEZVOUS_FILE,
  rankFileName,
  removeRendezvous,
} from './rendezvous-files.js';

const POLL_MS = 10;
/** How long rank 0 waits for the other ranks before it removes the shared files. */
const LEAVE_TIMEOUT_MS = 10_000;

/** The rank of this process, the number of ranks, and the directory that all ranks share. */
export interface JoinOptions {
  readonly directory: string;
  readonly size: number;
  readonly rank: number;
}

/**
 * Connects ranks through a shared directory if no launcher does:
 *
 *   .gobonnie-rank.I          by rank I: a nonce drawn when joining, to recognize stale files, and its owner
 *   .gobonnie-rendezvous      by rank 0: the name of the directory below, and the nonces that it has read
 *   .gobonnie-rendezvous.ID/  owner: rank 0; N/I: rank I has reached barrier N; NAME.I: a text that rank I has put
 *
 * A file that must be complete is written under another name and renamed.
 */
export class DirectoryCommunicator implements Communicator {
  readonly hasImmediateGet = true;
  readonly rank: number;
  readonly size: number;
  readonly #rendezvous: string;
  #barrierCount = 0;
  #hasLeft = false;

  private constructor({ size, rank }: JoinOptions, rendezvous: string) {
    this.size = size;
    this.rank = rank;
    this.#rendezvous = rendezvous;
  }

  /** Resolves when all ranks have joined. Rejects with the reason of `stop`. */
  static async join(
    options: JoinOptions,
    timeoutSeconds: number,
    stop: AbortSignal,
  ): Promise<DirectoryCommunicator> {
    const { directory, rank, size } = options;
    const deadline = AbortSignal.timeout(timeoutSeconds * MS_PER_SECOND);
    const signal = AbortSignal.any([stop, deadline]);
    const nonce = randomUUID();
    const rankFile = path.join(directory, rankFileName(rank));
    const ownRendezvous = path.join(directory, `${RENDEZVOUS_FILE}.${randomUUID()}`);
    try {
      await replaceFile(rankFile, JSON.stringify({ nonce, owner: currentOwner() }));
      if (rank === 0) await publishRendezvous(options, ownRendezvous, signal);
      const rendezvous = rank === 0 ? ownRendezvous : await awaitRendezvous(options, nonce, signal);
      const communicator = new DirectoryCommunicator(options, rendezvous);
      await communicator.barrier('', signal);
      return communicator;
    } catch (error) {
      if (rank === 0) await removeRendezvous(ownRendezvous).catch(() => {});
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
    } finally {
      await rm(rankFile, { force: true }).catch(() => {});
      if (rank === 0) await rm(path.join(directory, RENDEZVOUS_FILE), { force: true }).catch(() => {});
    }
  }

  async put(name: string, text: string): Promise<void> {
    await replaceFile(path.join(this.#rendezvous, `${name}.${this.rank}`), text);
  }

  async get(rank: number, name: string): Promise<string> {
    const text = await readOwnFile(path.join(this.#rendezvous, `${name}.${rank}`));
    if (text !== null) return text;
    throw new GobonnieError(
      'communication-failed',
      `rank ${rank} did not write ${display(name)} to ${display(this.#rendezvous)}`,
      'make sure that all ranks share this directory',
    );
  }

  async barrier(_name: string, signal: AbortSignal): Promise<void> {
    this.#barrierCount += 1;
    await this.#waitForAll(String(this.#barrierCount), signal);
  }

  /** Rank 0 removes the shared directory once all ranks have left, or after a timeout. */
  async leave(): Promise<void> {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    if (this.rank !== 0) return this.#mark('left').catch(() => {});
    await this.#waitForAll('left', AbortSignal.timeout(LEAVE_TIMEOUT_MS)).catch(() => {});
    await removeRendezvous(this.#rendezvous);
  }

  /** Nothing can kill processes on other hosts: they stop on their own when they time out waiting for this rank. */
  async abort(): Promise<void> {
    await this.leave();
  }

  async #mark(name: string): Promise<void> {
    await mkdir(path.join(this.#rendezvous, name), { recursive: true, mode: 0o700 });
    await writeFile(path.join(this.#rendezvous, name, String(this.rank)), '');
  }

  async #waitForAll(name: string, signal: AbortSignal): Promise<void> {
    await this.#mark(name);
    while ((await readdir(path.join(this.#rendezvous, name))).length < this.size) await pause(signal);
  }
}

/** Rank 0 creates the shared directory and publishes its name, with the nonces of the ranks that have arrived. */
async function publishRendezvous(
  { directory, size }: JoinOptions,
  rendezvous: string,
  signal: AbortSignal,
): Promise<void> {
  await mkdir(rendezvous, { mode: 0o700 });
  await replaceFile(ownerFile(rendezvous), JSON.stringify(currentOwner()));
  let published = '';
  for (;;) {
    const nonces = await Promise.all(
      Array.from({ length: size }, async (_, rank) => {
        const text = await readOwnFile(path.join(directory, rankFileName(rank)));
        return parseRankFile(text)?.nonce ?? null;
      }),
    );
    const text = JSON.stringify({ room: path.basename(rendezvous), nonces });
    if (text !== published) await replaceFile(path.join(directory, RENDEZVOUS_FILE), text);
    published = text;
    const entered = await readdir(path.join(rendezvous, '1')).catch(() => []);
    // All ranks but rank 0, which enters next.
    if (entered.length >= size - 1) return;
    await pause(signal);
  }
}

async function awaitRendezvous(
  { directory, rank }: JoinOptions,
  nonce: string,
  signal: AbortSignal,
): Promise<string> {
  for (;;) {
    const text = await readOwnFile(path.join(directory, RENDEZVOUS_FILE));
    const { room: name, nonces } = (text === null ? {} : JSON.parse(text)) as {
      room?: string;
      nonces?: string[];
    };
    if (name && isRendezvousName(name) && nonces?.[rank] === nonce) return path.join(directory, name);
    await pause(signal);
  }
}

async function replaceFile(file: string, text: string): Promise<void> {
  // A power failure ends the job anyway.
  await replaceOwnFile(file, `${file}.${randomUUID()}`, text, { sync: false });
}

async function pause(signal: AbortSignal): Promise<void> {
  await setTimeout(POLL_MS, undefined, { signal }).catch(() => {});
  signal.throwIfAborted();
}
