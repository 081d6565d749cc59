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
import { isAlive, ownProcessId, type ProcessId } from '../scratch/owner.js';
import { isHeld, patientlySync } from '../scratch/safe-path/patience.js';
import { isOwn, isWritableByOthers } from '../scratch/safe-path/trust.js';
import { hasCode } from '../system-error.js';
import { shown } from '../text/escape.js';

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

export interface MeetingDirectory {
  /** The directory of the user. */
  readonly home: string;
  readonly path: string;
  /** The number of processes. */
  readonly size: number;
}

/** What a process tells the others. */
export interface Member extends ProcessId {
  /** How many phases it has come to, and the name of the last. */
  readonly arrivals: number;
  readonly phase: string;
}

/** The errors of a rename onto something that exists; EPERM is that of Windows. */
const TAKEN = ['ENOTEMPTY', 'EEXIST', 'EPERM'];

export function userDirectory(): string {
  const user = process.geteuid?.() ?? os.userInfo().username;
  return path.join(os.tmpdir(), `gobonnie-meeting-${user}`);
}

/** The user's meeting, or null. First removes what dead processes have left half done. */
export function findMeeting(home: string): MeetingDirectory | null {
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
export function makeMeeting(home: string, size: number): boolean {
  const { pid, startTime } = ownProcessId();
  const draft = path.join(home, `new.${pid}.${startTime}`);
  const meeting = path.join(draft, `${size}.${randomUUID()}`);
  succeeds(['EEXIST'], () => mkdirSync(home, { mode: 0o700 }));
  try {
    const isDrafted = succeeds(['ENOENT', ...TAKEN], () => {
      mkdirSync(draft, { mode: 0o700 });
      // The draft keeps the directory from being removed, so the one that is checked here is the one that is used.
      refuseUnsafe(home, lstatSync(home));
      mkdirSync(meeting, { mode: 0o700 });
    });
    return isDrafted && move(draft, path.join(home, 'now'));
  } finally {
    // Not recursively, as the directory may turn out to be another user's.
    for (const made of [meeting, draft]) succeeds(['ENOENT', 'ENOTDIR', ...TAKEN], () => rmdirSync(made));
  }
}

/** False if another process has removed it. */
export function removeMeeting(meeting: MeetingDirectory): boolean {
  const gone = path.join(meeting.home, `gone.${path.basename(meeting.path)}`);
  const isRemoved = succeeds(['ENOENT'], () => renameSync(meeting.path, gone));
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
    succeeds(['ENOENT', ...TAKEN], () => rmdirSync(directory));
}

function exists(home: string): boolean {
  const found = lstatSync(home, { throwIfNoEntry: false });
  if (found) refuseUnsafe(home, found);
  return found !== undefined;
}

/** Refuses a directory that another user could have made or written to. */
function refuseUnsafe(home: string, found: Stats): void {
  if (!found.isDirectory()) throw unsafe(home, 'is not a directory');
  if (!isOwn(found)) throw unsafe(home, 'belongs to another user');
  if (process.geteuid !== undefined && isWritableByOthers(found))
    throw unsafe(home, 'can be written to by other users');
}

function unsafe(home: string, what: string): GobonnieError {
  return new GobonnieError(
    'communication-failed',
    `${shown(home)} ${what}, so it cannot be used for a meeting`,
    'remove it, or set TMPDIR to another directory for all processes',
  );
}

/** The names of all processes that ever joined. */
export function memberNames(meeting: MeetingDirectory): readonly string[] {
  return namesIn(meeting.path).filter((name) => name.startsWith('member.'));
}

/** Null if it has left, the meeting was removed, or the machine went down while it was written. */
export function readMember(meeting: MeetingDirectory, name: string): Member | null {
  try {
    const file = path.join(meeting.path, name, 'state');
    return JSON.parse(patientlySync(() => readFileSync(file, 'utf8'))) as Member;
  } catch (error) {
    if (error instanceof SyntaxError || hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** Whether it is alive and has not left. */
export function isPresent(member: Member | null): member is Member {
  return member !== null && isAlive(member);
}

export function presentMembers(meeting: MeetingDirectory): readonly Member[] {
  return memberNames(meeting)
    .map((name) => readMember(meeting, name))
    .filter(isPresent);
}

/** Returns the name of the new member, or null if the meeting is full or removed. */
export function addMember(meeting: MeetingDirectory, member: Member): string | null {
  const draft = path.join(meeting.path, `draft.${randomUUID()}`);
  const isDrafted = succeeds(['ENOENT'], () => {
    mkdirSync(draft, { mode: 0o700 });
    makeFile(path.join(draft, 'state'), member);
  });
  for (let at = 0; isDrafted && at < meeting.size; at++) {
    const name = `member.${at}`;
    if (move(draft, path.join(meeting.path, name))) return name;
  }
  removeTree(draft);
  return null;
}

/** For this process's own name. False if the meeting was removed. */
export function writeMember(meeting: MeetingDirectory, name: string, member: Member): boolean {
  const own = path.join(meeting.path, name);
  const next = path.join(own, 'next');
  return (
    succeeds(['ENOENT'], () => makeFile(next, member)) &&
    succeeds(['ENOENT'], () => renameSync(next, path.join(own, 'state')))
  );
}

/** For this process's own name, which no other process can take then. False if the meeting was removed. */
export function leaveAs(meeting: MeetingDirectory, name: string): boolean {
  const own = path.join(meeting.path, name);
  return succeeds(['ENOENT'], () => renameSync(path.join(own, 'state'), path.join(own, 'left')));
}

function makeFile(file: string, member: Member): void {
  writeFileSync(file, JSON.stringify(member), { flag: 'wx', mode: 0o600 });
}

/** Several processes may do this at once. Whatever is left is removed by the next sweep. */
function removeTree(directory: string): void {
  succeeds(['ENOENT', ...TAKEN], () => rmSync(directory, { recursive: true, force: true }));
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
function move(directory: string, to: string): boolean {
  return succeeds(
    ['ENOENT', ...TAKEN],
    () => renameSync(directory, to),
    (error) => isHeld(error) && !existsSync(to),
  );
}

/** False if it failed with one of these codes. What another process holds is tried again for a while. */
function succeeds(
  codes: readonly string[],
  act: () => void,
  mayPass = (error: unknown) => isHeld(error) && !hasCode(error, ...codes),
): boolean {
  try {
    patientlySync(act, mayPass);
    return true;
  } catch (error) {
    if (hasCode(error, ...codes)) return false;
    throw error;
  }
}
