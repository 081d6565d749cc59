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
 * Each user has a directory in the system's temporary one:
 *
 *   now/SIZE.ID/member.0/state   the meeting; a member's directory stays after the process has left
 *   new.PID.START, gone.ID       a meeting that is being made or removed
 *
 * Nothing is locked. What has to be complete is made under another name and renamed: a rename onto a directory that is
 * not empty fails, so of two processes that try, one fails. What is to be removed is first renamed by its ID, so that a
 * slow process cannot remove what was made after its decision.
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
  /** How many phases it has come to, and the name of the last. */
  readonly arrivals: number;
  readonly phase: string;
}

/** The errors of a rename onto an existing target; Windows returns EPERM. */
const TAKEN = ['ENOTEMPTY', 'EEXIST', 'EPERM'];

export function userDirectory(): string {
  const user = process.geteuid?.() ?? os.userInfo().username;
  return path.join(os.tmpdir(), `gobonnie-group-${user}`);
}

/** The user's meeting, or null. First removes what dead processes have left half done. */
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

/** False if there is one already, or another process removed the directory: then look again. */
export function makeGroup(home: string, size: number): boolean {
  const { pid, startTime } = currentProcessId();
  const draft = path.join(home, `new.${pid}.${startTime}`);
  const meeting = path.join(draft, `${size}.${randomUUID()}`);
  trySync(['EEXIST'], () => mkdirSync(home, { mode: 0o700 }));
  try {
    const isDrafted = trySync(['ENOENT', ...TAKEN], () => {
      mkdirSync(draft, { mode: 0o700 });
      // The draft keeps the directory from being removed, so the one that is checked here is the one that is used.
      rejectUnsafe(home, lstatSync(home));
      mkdirSync(meeting, { mode: 0o700 });
    });
    return isDrafted && renameIfFree(draft, path.join(home, 'now'));
  } finally {
    // Not recursively, because the directory may belong to another user.
    for (const made of [meeting, draft]) trySync(['ENOENT', 'ENOTDIR', ...TAKEN], () => rmdirSync(made));
  }
}

/** False if another process has removed it. */
export function removeGroup(meeting: GroupDirectory): boolean {
  const gone = path.join(meeting.home, `gone.${path.basename(meeting.path)}`);
  const isRemoved = trySync(['ENOENT'], () => renameSync(meeting.path, gone));
  sweep(meeting.home);
  return isRemoved;
}

/** Removes what dead processes have left half done, and then the directories if they are empty. */
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
  const found = lstatSync(home, { throwIfNoEntry: false });
  if (found) rejectUnsafe(home, found);
  return found !== undefined;
}

/** Refuses a directory that another user could have made or written to. */
function rejectUnsafe(home: string, found: Stats): void {
  if (!found.isDirectory()) throw unsafeDirectoryError(home, 'is not a directory');
  if (!isOwnedByUs(found)) throw unsafeDirectoryError(home, 'belongs to another user');
  if (process.geteuid !== undefined && isWritableByOthers(found))
    throw unsafeDirectoryError(home, 'can be written to by other users');
}

function unsafeDirectoryError(home: string, what: string): GobonnieError {
  return new GobonnieError(
    'communication-failed',
    `${display(home)} ${what}, so it cannot be used for a meeting`,
    'remove it, or set TMPDIR to another directory for all processes',
  );
}

/** The names of all processes that ever joined. */
export function processNames(meeting: GroupDirectory): readonly string[] {
  return namesIn(meeting.path).filter((name) => name.startsWith('member.'));
}

/** Null if it has left, the meeting was removed, or the machine went down while it was written. */
export function readProcessState(meeting: GroupDirectory, name: string): ProcessState | null {
  try {
    const file = path.join(meeting.path, name, 'state');
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

export function presentProcesses(meeting: GroupDirectory): readonly ProcessState[] {
  return processNames(meeting)
    .map((name) => readProcessState(meeting, name))
    .filter(isPresent);
}

/** Returns the name of the new member, or null if the meeting is full or removed. */
export function addProcess(meeting: GroupDirectory, state: ProcessState): string | null {
  const draft = path.join(meeting.path, `draft.${randomUUID()}`);
  const isDrafted = trySync(['ENOENT'], () => {
    mkdirSync(draft, { mode: 0o700 });
    writeStateFile(path.join(draft, 'state'), state);
  });
  for (let at = 0; isDrafted && at < meeting.size; at++) {
    const name = `member.${at}`;
    if (renameIfFree(draft, path.join(meeting.path, name))) return name;
  }
  removeTree(draft);
  return null;
}

/** For this process's own name. False if the meeting was removed. */
export function writeProcessState(meeting: GroupDirectory, name: string, state: ProcessState): boolean {
  const own = path.join(meeting.path, name);
  const next = path.join(own, 'next');
  return (
    trySync(['ENOENT'], () => writeStateFile(next, state)) &&
    trySync(['ENOENT'], () => renameSync(next, path.join(own, 'state')))
  );
}

/** For this process's own name, which no other process can take then. False if the meeting was removed. */
export function leaveAs(meeting: GroupDirectory, name: string): boolean {
  const own = path.join(meeting.path, name);
  return trySync(['ENOENT'], () => renameSync(path.join(own, 'state'), path.join(own, 'left')));
}

function writeStateFile(file: string, state: ProcessState): void {
  writeFileSync(file, JSON.stringify(state), { flag: 'wx', mode: 0o600 });
}

/** Several processes may do this at once. Whatever is left is removed by the next sweep. */
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

/** False if it is gone, or if another directory has that name. Windows has the same error for what another process holds. */
function renameIfFree(directory: string, to: string): boolean {
  return trySync(
    ['ENOENT', ...TAKEN],
    () => renameSync(directory, to),
    (error) => isFileBusy(error) && !existsSync(to),
  );
}

/** False if it failed with one of these codes. What another process holds is tried again for a while. */
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
