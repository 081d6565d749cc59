import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { GobonnieError } from '../errors.js';
import { ownProcessId } from '../scratch/owner.js';
import { isTrusted } from '../scratch/safe-path/resolve.js';
import { isSystemError, systemReason } from '../system-error.js';
import { shown } from '../text/escape.js';
import type { Meeting } from './exchange.js';
import {
  addMember,
  findMeeting,
  isPresent,
  leaveAs,
  type MeetingDirectory,
  type Member,
  makeMeeting,
  memberNames,
  presentMembers,
  readMember,
  removeMeeting,
  userDirectory,
  writeMember,
} from './local-directory.js';

/** How often a waiting process looks at the others. */
const POLL_MS = 20;
/** Others make and remove meetings at the same time, but not forever. */
const MAX_ATTEMPTS = 100;

/** For this many processes of this user and host. Replaces a meeting whose processes have all ended. */
export async function createMeeting(size: number): Promise<void> {
  const home = await safeHome();
  inWords(() => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const old = findMeeting(home);
      if (old) {
        refuseInUse(old);
        removeMeeting(old);
      }
      if (makeMeeting(home, size)) return;
    }
    throw refusal(`${shown(home)} contains something that is not a meeting`, 'remove it');
  });
}

/** Processes that take part get an error when they come to their next phase. */
export async function deleteMeeting(): Promise<void> {
  const home = await safeHome();
  inWords(() => {
    const meeting = findMeeting(home);
    if (!meeting || !removeMeeting(meeting))
      throw refusal(
        'there is no meeting to remove',
        'the last process to leave removes it; make one with -p N',
      );
  });
}

/** Resolves when all have joined. On an abort it leaves, and rejects with the signal's reason. */
export async function joinMeeting(signal: AbortSignal): Promise<LocalMeeting> {
  signal.throwIfAborted();
  const home = await safeHome();
  const meeting = inWords(() => enter(home));
  try {
    await meeting.all(signal);
  } catch (error) {
    await meeting.leave();
    throw error;
  }
  return meeting;
}

function enter(home: string): LocalMeeting {
  const directory = findMeeting(home);
  if (!directory) throw nothingToJoin();
  if (memberNames(directory).length > 0 && presentMembers(directory).length === 0) {
    removeMeeting(directory);
    throw nothingToJoin();
  }
  const own = { ...ownProcessId(), arrivals: 0, phase: '' };
  const name = addMember(directory, own);
  if (name !== null) return new LocalMeeting(directory, name, own);
  if (memberNames(directory).length < directory.size) throw nothingToJoin();
  throw refusal(
    `the meeting is for ${directory.size} processes, and as many have joined already`,
    'when they have ended, make a larger one with -p N',
  );
}

/** A meeting that this process has joined: its processes start each phase together. */
export class LocalMeeting implements Meeting {
  readonly #directory: MeetingDirectory;
  /** Of this process. */
  readonly #name: string;
  #own: Member;

  constructor(directory: MeetingDirectory, name: string, own: Member) {
    this.#directory = directory;
    this.#name = name;
    this.#own = own;
  }

  /** Resolves when all have joined. */
  async all(signal: AbortSignal): Promise<void> {
    await until(() => {
      const joined = memberNames(this.#directory).length;
      this.#refuseRemoved();
      return joined === this.#directory.size;
    }, signal);
  }

  /** Resolves when all that are alive and have not left have come to this phase. Rejects with the signal's reason. */
  async wait(phase: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#own = { ...this.#own, arrivals: this.#own.arrivals + 1, phase };
    inWords(() => {
      if (!writeMember(this.#directory, this.#name, this.#own)) throw removed();
    });
    // A process that has come, left or died is not looked at again.
    const awaited = new Set(memberNames(this.#directory).filter((name) => name !== this.#name));
    await until(() => {
      for (const name of awaited) if (!this.#isBehind(name)) awaited.delete(name);
      // Checked last: after a removal no member is found, and the wait would end as if all had come.
      this.#refuseRemoved();
      return awaited.size === 0;
    }, signal);
  }

  /** The others no longer wait for this process. The last one removes the meeting. */
  async leave(): Promise<void> {
    inWords(() => {
      if (!leaveAs(this.#directory, this.#name)) return;
      if (presentMembers(this.#directory).length === 0) removeMeeting(this.#directory);
    });
  }

  #isBehind(name: string): boolean {
    const { arrivals, phase } = this.#own;
    const other = readMember(this.#directory, name);
    if (!isPresent(other)) return false;
    if (other.arrivals === arrivals && other.phase !== phase)
      throw refusal(
        `this process is at ${shown(phase)} and process ${other.pid} at ${shown(other.phase)}, so they would wait forever`,
        'run the same tests in all processes',
      );
    return other.arrivals < arrivals;
  }

  #refuseRemoved(): void {
    if (readMember(this.#directory, this.#name) === null) throw removed();
  }
}

/** Refused if other users could rename it, as it could become another directory between any two calls. */
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
  const present = presentMembers(meeting);
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
  return new GobonnieError('communication-failed', message, hint, options);
}
