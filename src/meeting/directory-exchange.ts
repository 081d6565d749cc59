import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { GobonnieError } from '../errors.js';
import { ownOwner } from '../scratch/owner.js';
import { readOwnFile } from '../scratch/safe-path/own-file.js';
import { renameFile } from '../scratch/safe-path/patience.js';
import { hintBeyondPath, isSystemError, systemReason } from '../system-error.js';
import { shown } from '../text/escape.js';
import { flag, sentence } from '../text/sentence.js';
import { MS_PER_SECOND } from '../text/units.js';
import type { Exchange } from './exchange.js';
import { cardOf, isRoom, ownerOf, POINTER, readCard, removeRoom } from './rooms.js';

const POLL_MS = 10;
/** How long rank 0 waits for the others before it removes what all need. */
const FAREWELL_MS = 10_000;

/** Which of how many processes this is, and the directory that all of them see. */
export interface Seat {
  readonly directory: string;
  readonly size: number;
  readonly rank: number;
}

/**
 * Ranks that meet in a directory, where no launcher connects them:
 *
 *   .gobonnie-rank.I     what a rank that looks for the others draws, so that old files of these names are known, and
 *                          who it is, so that they can be removed
 *   .gobonnie-meeting      by rank 0: the room's name, and what it has read of each rank
 *   .gobonnie-meeting.ID/  the room: owner is rank 0, WAIT/I when a rank has come to a wait, NAME.I for what it gives
 *
 * What has to be complete is made under another name and renamed.
 */
export class DirectoryExchange implements Exchange {
  readonly showsAtOnce = true;
  readonly rank: number;
  readonly size: number;
  readonly id: string;
  readonly #room: string;
  #waits = 0;
  #hasLeft = false;

  private constructor({ size, rank }: Seat, room: string) {
    this.size = size;
    this.rank = rank;
    this.#room = room;
    this.id = path.extname(room).slice(1);
  }

  /** Resolves when all have come. Aborting the signal ends it. */
  static async join(seat: Seat, timeoutSeconds: number, stop: AbortSignal): Promise<DirectoryExchange> {
    const { directory, rank, size } = seat;
    const deadline = AbortSignal.timeout(timeoutSeconds * MS_PER_SECOND);
    const signal = AbortSignal.any([stop, deadline]);
    const nonce = randomUUID();
    const card = path.join(directory, cardOf(rank));
    const own = path.join(directory, `${POINTER}.${randomUUID()}`);
    try {
      await replace(card, JSON.stringify({ nonce, owner: ownOwner() }));
      if (rank === 0) await invite(seat, own, signal);
      const room = rank === 0 ? own : await find(seat, nonce, signal);
      const exchange = new DirectoryExchange(seat, room);
      await exchange.wait('', signal);
      return exchange;
    } catch (error) {
      if (rank === 0) await removeRoom(own).catch(() => {});
      stop.throwIfAborted();
      if (deadline.aborted)
        throw new GobonnieError(
          'communication-failed',
          sentence`not all of ${flag('ranks', size)} came to ${flag('rendezvous', directory)} within ${timeoutSeconds} s`,
          sentence`start each of them with another ${flag('rank')}, or pass a larger ${flag('barrierTimeout')}`,
        );
      if (!isSystemError(error)) throw error;
      throw new GobonnieError(
        'communication-failed',
        sentence`the ranks cannot meet in ${flag('rendezvous', directory)}: ${systemReason(error)}`,
        hintBeyondPath(error) ?? 'pass a directory that all ranks see and can write to',
        { cause: error },
      );
    } finally {
      await rm(card, { force: true }).catch(() => {});
      if (rank === 0) await rm(path.join(directory, POINTER), { force: true }).catch(() => {});
    }
  }

  async give(name: string, text: string): Promise<void> {
    await replace(path.join(this.#room, `${name}.${this.rank}`), text);
  }

  async take(rank: number, name: string): Promise<string> {
    const text = await readOwnFile(path.join(this.#room, `${name}.${rank}`));
    if (text !== null) return text;
    throw new GobonnieError(
      'communication-failed',
      `rank ${rank} has left nothing named ${shown(name)} in ${shown(this.#room)}`,
      'see that all ranks see the same directory',
    );
  }

  async wait(_name: string, signal: AbortSignal): Promise<void> {
    this.#waits += 1;
    await this.#gathered(String(this.#waits), signal);
  }

  /** Rank 0 removes the room when all have left, or after a while. */
  async leave(): Promise<void> {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    if (this.rank !== 0) return this.#mark('left').catch(() => {});
    await this.#gathered('left', AbortSignal.timeout(FAREWELL_MS)).catch(() => {});
    await removeRoom(this.#room);
  }

  /** Nobody can end processes of other hosts: they stop by themselves when this one does not come. */
  async abort(): Promise<void> {
    await this.leave();
  }

  async #mark(name: string): Promise<void> {
    await mkdir(path.join(this.#room, name), { recursive: true, mode: 0o700 });
    await writeFile(path.join(this.#room, name, String(this.rank)), '');
  }

  async #gathered(name: string, signal: AbortSignal): Promise<void> {
    await this.#mark(name);
    while ((await readdir(path.join(this.#room, name))).length < this.size) await pause(signal);
  }
}

/** Rank 0 makes the room, and says so to each process that comes as a rank: to a later one, too. */
async function invite({ directory, size }: Seat, room: string, signal: AbortSignal): Promise<void> {
  await mkdir(room, { mode: 0o700 });
  await replace(ownerOf(room), JSON.stringify(ownOwner()));
  let told = '';
  for (;;) {
    const nonces = await Promise.all(
      Array.from({ length: size }, async (_, rank) => {
        const text = await readOwnFile(path.join(directory, cardOf(rank)));
        return readCard(text)?.nonce ?? null;
      }),
    );
    const text = JSON.stringify({ room: path.basename(room), nonces });
    if (text !== told) await replace(path.join(directory, POINTER), text);
    told = text;
    const entered = await readdir(path.join(room, '1')).catch(() => []);
    // Those that have entered have removed their cards.
    if (entered.length >= size - 1) return;
    await pause(signal);
  }
}

async function find({ directory, rank }: Seat, nonce: string, signal: AbortSignal): Promise<string> {
  for (;;) {
    const text = await readOwnFile(path.join(directory, POINTER));
    const { room, nonces } = (text === null ? {} : JSON.parse(text)) as { room?: string; nonces?: string[] };
    if (room && isRoom(room) && nonces?.[rank] === nonce) return path.join(directory, room);
    await pause(signal);
  }
}

async function replace(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, text, { flag: 'wx', mode: 0o600 });
  await renameFile(draft, file);
}

async function pause(signal: AbortSignal): Promise<void> {
  await setTimeout(POLL_MS, undefined, { signal }).catch(() => {});
  signal.throwIfAborted();
}
