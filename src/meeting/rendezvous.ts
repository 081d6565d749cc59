import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { GobonnieError } from '../errors.js';
import { ownProcessId } from '../scratch/owner.js';
import { isTrusted } from '../scratch/safe-path/resolve.js';
import { isSystemError, systemReason } from '../system-error.js';
import { shown } from '../text/escape.js';
import { findPlace, homePath, makePlace, type Place, removePlace, sweep } from './meeting-place.js';
import { isTaken, leaveSeat, readSeat, type Seat, seatNames, takeSeat, writeSeat } from './seat.js';

/** How often those who wait look at the others. */
const LOOK_EVERY_MS = 20;
/** Others open and close at the same time, but not for ever. */
const ATTEMPTS = 100;

/** The part that this process takes in a rendezvous. */
export interface Rendezvous {
  /** Resolves when all who live and have not left have come to this stage. Rejects with the signal's reason. */
  meet(stage: string, signal: AbortSignal): Promise<void>;
  /** The others do not wait for this process any more. The last one removes the rendezvous. */
  leave(): Promise<void>;
}

/** For so many processes of this host and this user. One that nobody takes part in any more is replaced. */
export async function openRendezvous(parties: number): Promise<void> {
  const home = await safeHome();
  inWords(() => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      sweep(home);
      const old = findPlace(home);
      if (old) {
        refuseInUse(old);
        removePlace(home, old);
      }
      if (makePlace(home, parties)) return;
    }
    throw refusal(`${shown(home)} has something in it that is in the way`, 'remove it');
  });
}

/** Those who take part are told so at their next stage. */
export async function closeRendezvous(): Promise<void> {
  const home = await safeHome();
  inWords(() => {
    sweep(home);
    const place = findPlace(home);
    if (!place || !removePlace(home, place))
      throw refusal(
        'there is no rendezvous to delete',
        'the last process of one deletes it; one is made with -p N',
      );
  });
}

/** Resolves when all have joined. Rejects with the signal's reason, and has left then. */
export async function joinRendezvous(signal: AbortSignal): Promise<Rendezvous> {
  signal.throwIfAborted();
  const home = await safeHome();
  const member = inWords(() => Member.join(home));
  try {
    await member.allJoined(signal);
  } catch (error) {
    await member.leave();
    throw error;
  }
  return member;
}

class Member implements Rendezvous {
  readonly #home: string;
  readonly #place: Place;
  readonly #name: string;
  #seat: Seat;

  private constructor(home: string, place: Place, name: string, seat: Seat) {
    this.#home = home;
    this.#place = place;
    this.#name = name;
    this.#seat = seat;
  }

  static join(home: string): Member {
    sweep(home);
    const place = findPlace(home);
    if (!place) throw nothingToJoin();
    const names = seatNames(place);
    // What the dead have left is no rendezvous.
    if (names.length > 0 && !names.some((name) => isTaken(readSeat(place, name)))) {
      removePlace(home, place);
      throw nothingToJoin();
    }
    const seat: Seat = { ...ownProcessId(), arrivals: 0, stage: '' };
    const name = takeSeat(place, seat);
    if (name === null) {
      if (seatNames(place).length < place.parties) throw nothingToJoin();
      throw refusal(
        `the rendezvous is for ${place.parties}, and as many have joined already`,
        'when they have ended, make a larger one with -p N',
      );
    }
    return new Member(home, place, name, seat);
  }

  async allJoined(signal: AbortSignal): Promise<void> {
    await until(() => {
      const joined = seatNames(this.#place).length;
      this.#refuseDeleted();
      return joined === this.#place.parties;
    }, signal);
  }

  async meet(stage: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#seat = { ...this.#seat, arrivals: this.#seat.arrivals + 1, stage };
    inWords(() => {
      if (!writeSeat(this.#place, this.#name, this.#seat)) throw deleted();
    });
    // Whoever has come, left or died once is not looked at again.
    const awaited = new Set(this.#others());
    await until(() => {
      for (const name of awaited) if (this.#isBeyond(name)) awaited.delete(name);
      // Last, as in a deleted one nobody is left to wait for.
      this.#refuseDeleted();
      return awaited.size === 0;
    }, signal);
  }

  async leave(): Promise<void> {
    inWords(() => {
      if (!leaveSeat(this.#place, this.#name)) return;
      if (!this.#others().some((name) => isTaken(readSeat(this.#place, name))))
        removePlace(this.#home, this.#place);
    });
  }

  #isBeyond(name: string): boolean {
    const { arrivals, stage } = this.#seat;
    const other = readSeat(this.#place, name);
    if (!isTaken(other)) return true;
    if (other.arrivals === arrivals && other.stage !== stage) {
      throw refusal(
        `this process is at ${shown(stage)}, and process ${other.pid} at ${shown(other.stage)}: they would wait for each other for ever`,
        'give all processes the same tests',
      );
    }
    return other.arrivals >= arrivals;
  }

  #others(): readonly string[] {
    return seatNames(this.#place).filter((name) => name !== this.#name);
  }

  #refuseDeleted(): void {
    if (readSeat(this.#place, this.#name) === null) throw deleted();
  }
}

/** Where others could rename it, it could become another directory between any two calls. */
async function safeHome(): Promise<string> {
  const home = homePath();
  const above = path.dirname(home);
  // What is not there says so itself.
  if (await isTrusted(above).catch(() => true)) return home;
  throw refusal(
    `others may put another directory in the place of ${shown(home)}`,
    'set TMPDIR to a directory of your own for all processes',
  );
}

function refuseInUse(place: Place): void {
  const pids = seatNames(place)
    .map((name) => readSeat(place, name))
    .filter(isTaken)
    .map(({ pid }) => pid);
  if (pids.length === 0) return;
  throw refusal(
    `a rendezvous is in use, by process ${pids.join(', ')}`,
    'wait until they have ended, or delete it with -p -1',
  );
}

function deleted(): GobonnieError {
  return refusal('the rendezvous was deleted before its end', 'make a new one with -p N, and start again');
}

function nothingToJoin(): GobonnieError {
  return refusal('there is no rendezvous to join', 'make one first, as the same user, with -p N');
}

/** Looks again and again until it is so. */
async function until(isSo: () => boolean, signal: AbortSignal): Promise<void> {
  while (!inWords(isSo)) {
    // The timer's own error is not the signal's reason.
    await setTimeout(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
    signal.throwIfAborted();
  }
}

/** What the system says of the files, in our words. */
function inWords<T>(act: () => T): T {
  try {
    return act();
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    throw refusal(
      `the rendezvous in ${shown(homePath())} failed: ${systemReason(cause)}`,
      'see to it that the directory can be written to, or set TMPDIR to another for all processes',
      { cause },
    );
  }
}

function refusal(message: string, hint: string, options?: ErrorOptions): GobonnieError {
  return new GobonnieError('rendezvous-failed', message, hint, options);
}
