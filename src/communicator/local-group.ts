import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { GobonnieError } from '../errors.js';
import { currentProcessId } from '../scratch/owner.js';
import { isTrusted } from '../scratch/safe-path/resolve.js';
import { isSystemError, systemReason } from '../system-error.js';
import { display } from '../text/escape.js';
import type { ProcessGroup } from './communicator.js';
import {
  addProcess,
  findGroup,
  type GroupDirectory,
  isPresent,
  leaveAs,
  makeGroup,
  type ProcessState,
  presentProcesses,
  processNames,
  readProcessState,
  removeGroup,
  userDirectory,
  writeProcessState,
} from './local-group-directory.js';

/** How often a waiting process checks the other processes. */
const POLL_MS = 20;
/** Others make and remove meetings at the same time, but not forever. */
const MAX_ATTEMPTS = 100;

/** Takes the number of processes of this user on this host. Replaces a group whose processes have all ended. */
export async function createLocalGroup(size: number): Promise<void> {
  const home = await safeHome();
  withGroupErrors(() => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const old = findGroup(home);
      if (old) {
        rejectInUse(old);
        removeGroup(old);
      }
      if (makeGroup(home, size)) return;
    }
    throw groupError(`${display(home)} contains something that is not a meeting`, 'remove it');
  });
}

/** Processes that take part get an error when they come to their next phase. */
export async function deleteLocalGroup(): Promise<void> {
  const home = await safeHome();
  withGroupErrors(() => {
    const meeting = findGroup(home);
    if (!meeting || !removeGroup(meeting))
      throw groupError(
        'there is no meeting to remove',
        'the last process to leave removes it; make one with -p N',
      );
  });
}

/** Resolves when all have joined. On an abort it leaves, and rejects with the signal's reason. */
export async function joinLocalGroup(signal: AbortSignal): Promise<LocalGroup> {
  signal.throwIfAborted();
  const home = await safeHome();
  const meeting = withGroupErrors(() => joinExisting(home));
  try {
    await meeting.waitForAll(signal);
  } catch (error) {
    await meeting.leave();
    throw error;
  }
  return meeting;
}

function joinExisting(home: string): LocalGroup {
  const directory = findGroup(home);
  if (!directory) throw noGroupError();
  if (processNames(directory).length > 0 && presentProcesses(directory).length === 0) {
    removeGroup(directory);
    throw noGroupError();
  }
  const own = { ...currentProcessId(), arrivals: 0, phase: '' };
  const name = addProcess(directory, own);
  if (name !== null) return new LocalGroup(directory, name, own);
  if (processNames(directory).length < directory.size) throw noGroupError();
  throw groupError(
    `the meeting is for ${directory.size} processes, and as many have joined already`,
    'when they have ended, make a larger one with -p N',
  );
}

/** A group that this process has joined: its processes start each phase together. */
export class LocalGroup implements ProcessGroup {
  readonly #directory: GroupDirectory;
  /** Of this process. */
  readonly #name: string;
  #own: ProcessState;

  constructor(directory: GroupDirectory, name: string, own: ProcessState) {
    this.#directory = directory;
    this.#name = name;
    this.#own = own;
  }

  /** Resolves when all have joined. */
  async waitForAll(signal: AbortSignal): Promise<void> {
    await waitUntil(() => {
      const joined = processNames(this.#directory).length;
      this.#rejectRemoved();
      return joined === this.#directory.size;
    }, signal);
  }

  /** Resolves when every live process that has not left reaches this phase. Rejects with the signal's reason. */
  async barrier(phase: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#own = { ...this.#own, arrivals: this.#own.arrivals + 1, phase };
    withGroupErrors(() => {
      if (!writeProcessState(this.#directory, this.#name, this.#own)) throw removedError();
    });
    // A process that has arrived, left or died is not checked again.
    const awaited = new Set(processNames(this.#directory).filter((name) => name !== this.#name));
    await waitUntil(() => {
      for (const name of awaited) if (!this.#isBehind(name)) awaited.delete(name);
      // Checked last: after a removal no member is found, and the wait would end as if all had come.
      this.#rejectRemoved();
      return awaited.size === 0;
    }, signal);
  }

  /** The other processes no longer wait for this process. The last process removes the group. */
  async leave(): Promise<void> {
    withGroupErrors(() => {
      if (!leaveAs(this.#directory, this.#name)) return;
      if (presentProcesses(this.#directory).length === 0) removeGroup(this.#directory);
    });
  }

  #isBehind(name: string): boolean {
    const { arrivals, phase } = this.#own;
    const other = readProcessState(this.#directory, name);
    if (!isPresent(other)) return false;
    if (other.arrivals === arrivals && other.phase !== phase)
      throw groupError(
        `this process is at ${display(phase)} and process ${other.pid} at ${display(other.phase)}, so they would wait forever`,
        'run the same tests in all processes',
      );
    return other.arrivals < arrivals;
  }

  #rejectRemoved(): void {
    if (readProcessState(this.#directory, this.#name) === null) throw removedError();
  }
}

/** Refused if other users could rename it, as it could become another directory between any two calls. */
async function safeHome(): Promise<string> {
  const home = userDirectory();
  // A missing directory fails later, with its own message.
  if (await isTrusted(path.dirname(home)).catch(() => true)) return home;
  throw groupError(
    `other users could replace ${display(home)}`,
    'set TMPDIR to a directory of your own for all processes',
  );
}

function rejectInUse(meeting: GroupDirectory): void {
  const present = presentProcesses(meeting);
  if (present.length === 0) return;
  throw groupError(
    `a meeting is in use by process ${present.map(({ pid }) => pid).join(', ')}`,
    'wait until it has ended, or remove it with -p -1',
  );
}

function removedError(): GobonnieError {
  return groupError('the meeting was removed before it ended', 'make a new one with -p N, and start again');
}

function noGroupError(): GobonnieError {
  return groupError('there is no meeting to join', 'make one first, as the same user, with -p N');
}

async function waitUntil(condition: () => boolean, signal: AbortSignal): Promise<void> {
  while (!withGroupErrors(condition)) {
    // The timer rejects with an error of its own, not with the signal's reason.
    await setTimeout(POLL_MS, undefined, { signal }).catch(() => {});
    signal.throwIfAborted();
  }
}

/** Puts the system's errors in our words. */
function withGroupErrors<T>(act: () => T): T {
  try {
    return act();
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    throw groupError(
      `the meeting in ${display(userDirectory())} failed: ${systemReason(cause)}`,
      'make sure that the directory can be written to, or set TMPDIR to another for all processes',
      { cause },
    );
  }
}

function groupError(message: string, hint: string, options?: ErrorOptions): GobonnieError {
  return new GobonnieError('communication-failed', message, hint, options);
}
