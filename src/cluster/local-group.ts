import os from 'node:os';
import { GobonnieError } from '../errors.js';
import { isTrusted } from '../scratch/safe-path/resolve.js';
import { isSystemError, systemReason } from '../system-error.js';
import { display } from '../text/escape.js';
import { DirectoryCommunicator, RemovedError } from './directory-communicator.js';
import { Rendezvous, removeRendezvous } from './rendezvous.js';

/** Creates this user's barrier on this host, for `size` processes. Replaces one whose processes have all ended. */
export function createLocalGroup(size: number): Promise<void> {
  return inTemporaryDirectory(async (directory) => {
    for (const rendezvous of await Rendezvous.list(directory, 'barrier')) {
      const pids = await presentProcessIds(rendezvous);
      if (pids.length > 0)
        throw groupError(
          `a barrier is in use by process ${pids.join(', ')}`,
          'wait until it has ended, or remove the barrier with -p -1',
        );
      await removeRendezvous(rendezvous.path);
    }
    await Rendezvous.create(directory, 'barrier', size);
  });
}

/** Removes the user's barrier. Its processes get an error at their next phase. */
export function deleteLocalGroup(): Promise<void> {
  return inTemporaryDirectory(async (directory) => {
    const all = await Rendezvous.list(directory, 'barrier');
    if (all.length === 0)
      throw groupError(
        'there is no barrier to remove',
        'the last process to leave removes it; create one with -p N',
      );
    for (const { path } of all) await removeRendezvous(path);
  });
}

/**
 * Resolves when all processes have joined, to the group in which they begin each phase together. On an abort, leaves and
 * rejects with the signal's reason.
 */
export function joinLocalGroup(signal: AbortSignal) {
  return inTemporaryDirectory(async (directory) => {
    signal.throwIfAborted();
    const group = await enter(directory);
    try {
      await group.waitForProcesses(signal);
    } catch (error) {
      await group.leave(0);
      throw error;
    }
    return {
      barrier: (phase: string, phaseSignal: AbortSignal) =>
        inTemporaryDirectory(() => group.barrierOfPresent(phase, phaseSignal)),
      leave: () => group.leave(0),
    };
  });
}

async function enter(directory: string): Promise<DirectoryCommunicator> {
  const [rendezvous] = await Rendezvous.list(directory, 'barrier');
  if (!rendezvous) throw noGroupError();
  const { path, size } = rendezvous;
  // All its processes were killed.
  if ((await rendezvous.countRanks()) > 0 && (await presentProcessIds(rendezvous)).length === 0) {
    await removeRendezvous(path);
    throw noGroupError();
  }
  const rank = await rendezvous.claimRank(0, size - 1);
  if (rank !== null) return new DirectoryCommunicator(rendezvous, rank);
  throw groupError(
    `all ${size} processes of this barrier have already joined`,
    'when they have ended, create a larger barrier with -p N',
  );
}

async function presentProcessIds(rendezvous: Rendezvous): Promise<readonly number[]> {
  const pids: number[] = [];
  for await (const { owner } of rendezvous.findPresent()) pids.push(owner.pid);
  return pids;
}

/** Turns a system error into a GobonnieError. Rejects a directory whose entries other users could rename. */
async function inTemporaryDirectory<Result>(act: (directory: string) => Promise<Result>): Promise<Result> {
  const directory = os.tmpdir();
  try {
    if (await isTrusted(directory)) return await act(directory);
  } catch (cause) {
    if (cause instanceof RemovedError)
      throw groupError('the barrier was removed while in use', 'create a new one with -p N, and start again');
    if (!isSystemError(cause)) throw cause;
    throw groupError(
      `the barrier in ${display(directory)} failed: ${systemReason(cause)}`,
      'make sure that the directory is writable, or set TMPDIR to another for all processes',
      { cause },
    );
  }
  throw groupError(
    `other users could replace the barrier in ${display(directory)}`,
    'set TMPDIR to a directory of your own for all processes',
  );
}

function noGroupError(): GobonnieError {
  return groupError('there is no barrier to join', 'create one first, as the same user, with -p N');
}

function groupError(message: string, hint: string, options?: ErrorOptions): GobonnieError {
  return new GobonnieError('communication-failed', message, hint, options);
}
