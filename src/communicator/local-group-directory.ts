import { randomUUID } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { GobonnieError } from '../errors.js';
import { currentProcessId, isAlive, type ProcessId } from '../scratch/owner.js';
import { isFileBusy, retryWhileBusySync } from '../scratch/safe-path/retry.js';
import { isOwnedByUs, isWritableByOthers } from '../scratch/safe-path/trust.js';
import { hasCode } from '../system-error.js';
import { display } from '../text/escape.js';

/*
 * Each user has one directory in the system's temporary directory:
 *
 *   now/SIZE.ID/rank.0/state   the barrier; a rank's directory remains after its process has left
 *   new.PID.START, gone.ID     a barrier that is being created or removed
 *
 * There are no locks. A directory is completed under another name and then renamed: a rename onto a directory that is
 * not empty fails, so only one of several processes succeeds. Before a removal, a directory is renamed by its ID, so a
 * slow process cannot remove a newer barrier.
 */

export interface GroupDirectory {
  /** The directory of the user. */
  readonly home: string;
  readonly path: string;
  /** The number of processes. */
  readonly size: number;
}

/** The state that a process publishes to the other processes. */
export interface ProcessState extends ProcessId {
  /** The number of phases that it has reached, and the name of the latest. */
  readonly arrivals: number;
  readonly phase: string;
}

/** The errors of a rename onto an existing target; Windows returns EPERM. */
const TAKEN = ['ENOTEMPTY', 'EEXIST', 'EPERM'];

export function userDirectory(): string {
  const user = process.geteuid?.() ?? os.userInfo().username;
  return path.join(os.tmpdir(), `gobonnie-group-${user}`);
}

/** Returns the user's barrier, or null. First removes the unfinished directories of dead processes. */
export function findGroup(home: string): GroupDirectory | null {
  sweep(home);
  if (!exists(home)) return null;
  const now = path.join(home, 'now');
  for (const name of namesIn(now)) {
    const size = /^(\d+)\.[\da-f-]+$/.exec(name)?.[1];
    if (size !== undefined) return { home, path: path.join(now, name), size: Number(size) };
  }
  return null;
}

/** False if a barrier exists already, or another process removed the directory: then call `findGroup` again. */
export function makeGroup(home: string, size: number): boolean {
  const { pid, startTime } = currentProcessId();
  const draft = path.join(home, `new.${pid}.${startTime}`);
  const barrier = path.join(draft, `${size}.${randomUUID()}`);
  trySync(['EEXIST'], () => mkdirSync(home, { mode: 0o700 }));
  try {
    const isDrafted = trySync(['ENOENT', ...TAKEN], () => {
      mkdirSync(draft, { mode: 0o700 });
      // The draft keeps `home` from being removed, so the directory that is checked here is the one that is used.
      rejectUnsafe(home, lstatSync(home));
      mkdirSync(barrier, { mode: 0o700 });
    });
    return isDrafted && renameIfFree(draft, path.join(home, 'now'));
  } finally {
    // Not recursively, because the directory may belong to another user.
    for (const directory of [barrier, draft])
      trySync(['ENOENT', 'ENOTDIR', ...TAKEN], () => rmdirSync(directory));
  }
}

/** False if another process has removed it. */
export function removeGroup(group: GroupDirectory): boolean {
  const gone = path.join(group.home, `gone.${path.basename(group.path)}`);
  const isRemoved = trySync(['ENOENT'], () => renameSync(group.path, gone));
  sweep(group.home);
  return isRemoved;
}

/** Removes the unfinished directories of dead processes, and then `now` and `home` if they are empty. */
function sweep(home: string): void {
  if (!exists(home)) return;
  for (const name of namesIn(home)) {
    const [, pid, startTime = ''] = /^new\.(\d+)\.(\d*)$/.exec(name) ?? [];
    const isAbandoned = pid !== undefined && !isAlive({ pid: Number(pid), startTime });
    if (isAbandoned || name.startsWith('gone.')) removeTree(path.join(home, name));
  }
  for (const directory of [path.join(home, 'now'), home])
    trySync(['ENOENT', ...TAKEN], () => rmdirSync(directory));
}

function exists(home: string): boolean {
  const stats = lstatSync(home, { throwIfNoEntry: false });
  if (stats) rejectUnsafe(home, stats);
  return stats !== undefined;
}

/** Rejects a directory that another user could have created or written to. */
function rejectUnsafe(home: string, stats: Stats): void {
  if (!stats.isDirectory()) throw unsafeDirectoryError(home, 'is not a directory');
  if (!isOwnedByUs(stats)) throw unsafeDirectoryError(home, 'belongs to another user');
  if (process.geteuid !== undefined && isWritableByOthers(stats))
    throw unsafeDirectoryError(home, 'is writable by other users');
}

function unsafeDirectoryError(home: string, problem: string): GobonnieError {
  return new GobonnieError(
    'communication-failed',
    `${display(home)} ${problem}, so it cannot hold a barrier`,
    'remove it, or set TMPDIR to another directory for all processes',
  );
}

/** The names of all processes that have ever joined. */
export function processNames(group: GroupDirectory): readonly string[] {
  return namesIn(group.path).filter((name) => name.startsWith('rank.'));
}

/** Null if the process has left, the barrier was removed, or the machine crashed while the state was being written. */
export function readProcessState(group: GroupDirectory, name: string): ProcessState | null {
  try {
    const file = path.join(group.path, name, 'state');
    return JSON.parse(retryWhileBusySync(() => readFileSync(file, 'utf8'))) as ProcessState;
  } catch (error) {
    if (error instanceof SyntaxError || hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** True if the process is alive and has not left. */
export function isPresent(state: ProcessState | null): state is ProcessState {
  return state !== null && isAlive(state);
}

export function presentProcesses(group: GroupDirectory): readonly ProcessState[] {
  return processNames(group)
    .map((name) => readProcessState(group, name))
    .filter(isPresent);
}

/** Returns the name of the new process, or null if the barrier is full or removed. */
export function addProcess(group: GroupDirectory, state: ProcessState): string | null {
  const draft = path.join(group.path, `draft.${randomUUID()}`);
  const isDrafted = trySync(['ENOENT'], () => {
    mkdirSync(draft, { mode: 0o700 });
    writeStateFile(path.join(draft, 'state'), state);
  });
  for (let rank = 0; isDrafted && rank < group.size; rank++) {
    const name = `rank.${rank}`;
    if (renameIfFree(draft, path.join(group.path, name))) return name;
  }
  removeTree(draft);
  return null;
}

/** Replaces the state of this process, whose name this is. False if the barrier was removed. */
export function writeProcessState(group: GroupDirectory, name: string, state: ProcessState): boolean {
  const own = path.join(group.path, name);
  const next = path.join(own, 'next');
  return (
    trySync(['ENOENT'], () => writeStateFile(next, state)) &&
    trySync(['ENOENT'], () => renameSync(next, path.join(own, 'state')))
  );
}

/** Marks this process as having left; no other process can take its name. False if the barrier was removed. */
export function leaveAs(group: GroupDirectory, name: string): boolean {
  const own = path.join(group.path, name);
  return trySync(['ENOENT'], () => renameSync(path.join(own, 'state'), path.join(own, 'left')));
}

function writeStateFile(file: string, state: ProcessState): void {
  writeFileSync(file, JSON.stringify(state), { flag: 'wx', mode: 0o600 });
}

/** Several processes may do this at once. The next sweep removes the remaining files. */
function removeTree(directory: string): void {
  trySync(['ENOENT', ...TAKEN], () => rmSync(directory, { recursive: true, force: true }));
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

/** False if `directory` is gone, or if `to` exists. On Windows, a file that is in use gives the same error. */
function renameIfFree(directory: string, to: string): boolean {
  return trySync(
    ['ENOENT', ...TAKEN],
    () => renameSync(directory, to),
    (error) => isFileBusy(error) && !existsSync(to),
  );
}

/** False if `act` failed with one of these codes. Retries for a while if another process holds the file. */
function trySync(
  codes: readonly string[],
  act: () => void,
  isTransient = (error: unknown) => isFileBusy(error) && !hasCode(error, ...codes),
): boolean {
  try {
    retryWhileBusySync(act, isTransient);
    return true;
  } catch (error) {
    if (hasCode(error, ...codes)) return false;
    throw error;
  }
}
