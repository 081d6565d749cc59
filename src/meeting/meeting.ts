import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { GobonnieError } from '../errors.js';
import { ownProcessId } from '../scratch/owner.js';
import { isTrusted } from '../scratch/safe-path/resolve.js';
import { isSystemError, systemReason } from '../system-error.js';
import { shown } from '../text/escape.js';
import {
  findMeeting,
  type MeetingDirectory,
  makeMeeting,
  removeMeeting,
  sweep,
  userDirectory,
} from './meeting-directory.js';
import {
  addMember,
  isPresent,
  leaveAs,
  type Member,
  memberNames,
  readMember,
  writeMember,
} from './member.js';

/** How often those who wait look at the others. */
const POLL_MS = 20;
/** Others make and remove meetings at the same time, but not forever. */
const MAX_ATTEMPTS = 100;

/** Processes that start each phase together, as one that has joined sees it. */
export interface Meeting {
  /** Resolves when all that are alive and have not left have come to this phase. Rejects with the signal's reason. */
  wait(phase: string, signal: AbortSignal): Promise<void>;
  /** The others no longer wait for this process. The last one removes the meeting. */
  leave(): Promise<void>;
}

/** For this many processes of this user and host. Replaces a meeting that nobody takes part in any more. */
export async function createMeeting(size: number): Promise<void> {
  const home = await safeHome();
  inWords(() => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      sweep(home);
      const old = findMeeting(home);
      if (old) {
        refuseInUse(old);
        removeMeeting(home, old);
      }
      if (makeMeeting(home, size)) return;
    }
    throw refusal(`${shown(home)} contains something that is not a meeting`, 'remove it');
  });
}

/** Those who take part get an error when they come to their next phase. */
export async function deleteMeeting(): Promise<void> {
  const home = await safeHome();
  inWords(() => {
    sweep(home);
    const meeting = findMeeting(home);
    if (!meeting || !removeMeeting(home, meeting))
      throw refusal(
        'there is no meeting to remove',
        'the last process to leave removes it; make one with -p N',
      );
  });
}

/** Resolves when all have joined. Rejects with the signal's reason, having left. */
export async function joinMeeting(signal: AbortSignal): Promise<Meeting> {
  signal.throwIfAborted();
  const home = await safeHome();
  const joined = inWords(() => Joined.join(home));
  try {
    await joined.all(signal);
  } catch (error) {
    await joined.leave();
    throw error;
  }
  return joined;
}

class Joined implements Meeting {
  readonly #home: string;
  readonly #meeting: MeetingDirectory;
  readonly #name: string;
  #own: Member;

  private constructor(home: string, meeting: MeetingDirectory, name: string, own: Member) {
    this.#home = home;
    this.#meeting = meeting;
    this.#name = name;
    this.#own = own;
  }

  static join(home: string): Joined {
    sweep(home);
    const meeting = findMeeting(home);
    if (!meeting) throw nothingToJoin();
    const names = memberNames(meeting);
    if (names.length > 0 && !isAnyPresent(meeting, names)) {
      removeMeeting(home, meeting);
      throw nothingToJoin();
    }
    const own: Member = { ...ownProcessId(), arrivals: 0, phase: '' };
    const name = addMember(meeting, own);
    if (name !== null) return new Joined(home, meeting, name, own);
    if (memberNames(meeting).length < meeting.size) throw nothingToJoin();
    throw refusal(
      `the meeting is for ${meeting.size} processes, and as many have joined already`,
      'when they have ended, make a larger one with -p N',
    );
  }

  async all(signal: AbortSignal): Promise<void> {
    await until(() => {
      const joined = memberNames(this.#meeting).length;
      this.#refuseRemoved();
      return joined === this.#meeting.size;
    }, signal);
  }

  async wait(phase: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#own = { ...this.#own, arrivals: this.#own.arrivals + 1, phase };
    inWords(() => {
      if (!writeMember(this.#meeting, this.#name, this.#own)) throw removed();
    });
    // Whoever has come, left or died is not looked at again.
    const awaited = new Set(this.#others());
    await until(() => {
      for (const name of awaited) if (!this.#isBehind(name)) awaited.delete(name);
      // Last, as nobody is left to wait for when the meeting was removed.
      this.#refuseRemoved();
      return awaited.size === 0;
    }, signal);
  }

  async leave(): Promise<void> {
    inWords(() => {
      if (!leaveAs(this.#meeting, this.#name)) return;
      if (!isAnyPresent(this.#meeting, this.#others())) removeMeeting(this.#home, this.#meeting);
    });
  }

  #isBehind(name: string): boolean {
    const { arrivals, phase } = this.#own;
    const other = readMember(this.#meeting, name);
    if (!isPresent(other)) return false;
    if (other.arrivals === arrivals && other.phase !== phase)
      throw refusal(
        `this process is at ${shown(phase)} and process ${other.pid} at ${shown(other.phase)}, so they would wait forever`,
        'run the same tests in all processes',
      );
    return other.arrivals < arrivals;
  }

  #others(): readonly string[] {
    return memberNames(this.#meeting).filter((name) => name !== this.#name);
  }

  #refuseRemoved(): void {
    if (readMember(this.#meeting, this.#name) === null) throw removed();
  }
}

function isAnyPresent(meeting: MeetingDirectory, names: readonly string[]): boolean {
  return names.some((name) => isPresent(readMember(meeting, name)));
}

/** Refused where others could rename it: it could become another directory between any two calls. */
async function safeHome(): Promise<string> {
  const home = userDirectory();
  // A missing directory fails later, with its own message.
  if (await isTrusted(path.dirname(home)).catch(() => true)) return home;
  throw refusal(
    `other users could replace ${shown(home)}`,
    'set TMPDIR to a directory of your own for all processes',
  );
}

function refuseInUse(meeting: MeetingDirectory): void {
  const present = memberNames(meeting)
    .map((name) => readMember(meeting, name))
    .filter(isPresent);
  if (present.length === 0) return;
  throw refusal(
    `a meeting is in use by process ${present.map(({ pid }) => pid).join(', ')}`,
    'wait until it has ended, or remove it with -p -1',
  );
}

function removed(): GobonnieError {
  return refusal('the meeting was removed before it ended', 'make a new one with -p N, and start again');
}

function nothingToJoin(): GobonnieError {
  return refusal('there is no meeting to join', 'make one first, as the same user, with -p N');
}

async function until(isSo: () => boolean, signal: AbortSignal): Promise<void> {
  while (!inWords(isSo)) {
    // The timer rejects with an error of its own, not with the signal's reason.
    await setTimeout(POLL_MS, undefined, { signal }).catch(() => {});
    signal.throwIfAborted();
  }
}

/** Puts the system's errors in our words. */
function inWords<T>(act: () => T): T {
  try {
    return act();
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    throw refusal(
      `the meeting in ${shown(userDirectory())} failed: ${systemReason(cause)}`,
      'make sure that the directory can be written to, or set TMPDIR to another for all processes',
      { cause },
    );
  }
}

function refusal(message: string, hint: string, options?: ErrorOptions): GobonnieError {
  return new GobonnieError('meeting-failed', message, hint, options);
}
