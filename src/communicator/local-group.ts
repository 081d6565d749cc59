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
/** Other processes may create and remove barriers at the same time, but not forever. */
const MAX_ATTEMPTS = 100;

/** Creates this user's barrier on this host, for `size` processes. Replaces one whose processes have all ended. */
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
    throw groupError(`${display(home)} contains something that is not a barrier`, 'remove it');
  });
}

/** Removes the user's barrier. Its processes get an error at their next phase. */
export async function deleteLocalGroup(): Promise<void> {
  const home = await safeHome();
  withGroupErrors(() => {
    const group = findGroup(home);
    if (!group || !removeGroup(group))
      throw groupError(
        'there is no barrier to remove',
        'the last process to leave removes it; create one with -p N',
      );
  });
}

/** Resolves when all processes have joined. On an abort, leaves and rejects with the signal's reason. */
export async function joinLocalGroup(signal: AbortSignal): Promise<LocalGroup> {
  signal.throwIfAborted();
  const home = await safeHome();
  const group = withGroupErrors(() => joinExisting(home));
  try {
    await group.waitForAll(signal);
  } catch (error) {
    await group.leave();
    throw error;
  }
  return group;
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
    `all ${directory.size} processes of this barrier have already joined`,
    'when they have ended, create a larger barrier with -p N',
  );
}

/** A group that this process has joined: its processes start each phase together. */
export class LocalGroup implements ProcessGroup {
  readonly #directory: GroupDirectory;
  /** Name of this process's directory. */
  readonly #name: string;
  #own: ProcessState;

  constructor(directory: GroupDirectory, name: string, own: ProcessState) {
    this.#directory = directory;
    this.#name = name;
    this.#own = own;
  }

  /** Resolves when all processes have joined. */
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
      // Check last: after removal no process is listed, and the barrier would look complete.
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
        `phase mismatch: this process is at ${display(phase)}, process ${other.pid} is at ${display(other.phase)}`,
        'run the same tests in all processes',
      );
    return other.arrivals < arrivals;
  }

  #rejectRemoved(): void {
    if (readProcessState(this.#directory, this.#name) === null) throw removedError();
  }
}

/** Rejects a directory that other users could rename, because they could replace it between any two calls. */
async function safeHome(): Promise<string> {
  const home = userDirectory();
  // A missing directory fails later, with its own message.
  if (await isTrusted(path.dirname(home)).catch(() => true)) return home;
  throw groupError(
    `other users could replace ${display(home)}`,
    'set TMPDIR to a directory of your own for all processes',
  );
}

function rejectInUse(group: GroupDirectory): void {
  const present = presentProcesses(group);
  if (present.length === 0) return;
  throw groupError(
    `a barrier is in use by process ${present.map(({ pid }) => pid).join(', ')}`,
    'wait until it has ended, or remove the barrier with -p -1',
  );
}

function removedError(): GobonnieError {
  return groupError('the barrier was removed while in use', 'create a new one with -p N, and start again');
}

function noGroupError(): GobonnieError {
  return groupError('there is no barrier to join', 'create one first, as the same user, with -p N');
}

async function waitUntil(condition: () => boolean, signal: AbortSignal): Promise<void> {
  while (!withGroupErrors(condition)) {
    // The timer rejects with its own error, not with the signal's reason.
    await setTimeout(POLL_MS, undefined, { signal }).catch(() => {});
    signal.throwIfAborted();
  }
}

/** Turns a system error into a GobonnieError. */
function withGroupErrors<T>(act: () => T): T {
  try {
    return act();
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    throw groupError(
      `the barrier in ${display(userDirectory())} failed: ${systemReason(cause)}`,
      'make sure that the directory is writable, or set TMPDIR to another for all processes',
      { cause },
    );
  }
}

function groupError(message: string, hint: string, options?: ErrorOptions): GobonnieError {
  return new GobonnieError('communication-failed', message, hint, options);
}
