import { randomUUID } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, type Stats } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { GobonnieError } from '../errors.js';
import { isAlive, ownProcessId } from '../scratch/owner.js';
import { isOwn, isWritableByOthers } from '../scratch/safe-path/trust.js';
import { hasCode } from '../system-error.js';
import { shown } from '../text/escape.js';

/*
 * Each user has a directory in the system's temporary one:
 *
 *   now/SIZE.ID/member.0/state   the meeting; a member's directory stays when the process has left
 *   new.PID.START, gone.ID       a meeting that is being made or removed
 *
 * Nothing is locked. What has to be complete is made aside and renamed: a directory that is not empty cannot be renamed
 * over, so if two try, one fails. What is to be removed is named by its ID and renamed first, so that a process that
 * decides slowly cannot remove what is newer than its decision.
 */

export interface MeetingDirectory {
  readonly path: string;
  /** For how many processes it is. */
  readonly size: number;
}

/** What a rename fails with if something is there already; EPERM on Windows. */
export const TAKEN = ['ENOTEMPTY', 'EEXIST', 'EPERM'];

export function userDirectory(): string {
  const user = process.geteuid?.() ?? os.userInfo().username;
  return path.join(os.tmpdir(), `gobonnie-meeting-${user}`);
}

export function findMeeting(home: string): MeetingDirectory | null {
  if (!exists(home)) return null;
  const now = path.join(home, 'now');
  for (const name of namesIn(now)) {
    const size = /^(\d+)\.[\da-f-]+$/.exec(name)?.[1];
    if (size !== undefined) return { path: path.join(now, name), size: Number(size) };
  }
  return null;
}

/** False when there is one already, or another process removed the directory: then look again. */
export function makeMeeting(home: string, size: number): boolean {
  const { pid, startTime } = ownProcessId();
  const draft = path.join(home, `new.${pid}.${startTime}`);
  const meeting = path.join(draft, `${size}.${randomUUID()}`);
  succeeds(['EEXIST'], () => mkdirSync(home, { mode: 0o700 }));
  try {
    return succeeds(['ENOENT', ...TAKEN], () => {
      mkdirSync(draft, { mode: 0o700 });
      // As long as this is in it nobody can remove the directory, so what is judged here stays the same one.
      refuseUnsafe(home, lstatSync(home));
      mkdirSync(meeting, { mode: 0o700 });
      renameSync(draft, path.join(home, 'now'));
    });
  } finally {
    // Only if they are empty: the directory may turn out to be somebody else's.
    for (const made of [meeting, draft]) succeeds(['ENOENT', 'ENOTDIR', ...TAKEN], () => rmdirSync(made));
  }
}

/** False when another process has removed it. */
export function removeMeeting(home: string, meeting: MeetingDirectory): boolean {
  const isRemoved = succeeds(['ENOENT'], () =>
    renameSync(meeting.path, path.join(home, `gone.${path.basename(meeting.path)}`)),
  );
  sweep(home);
  return isRemoved;
}

/** Removes what dead processes have left half done, and the directories themselves once they are empty. */
export function sweep(home: string): void {
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

/** Refuses a directory that somebody else could have put something into. */
function refuseUnsafe(home: string, found: Stats): void {
  if (!found.isDirectory()) throw unsafe(home, 'is not a directory');
  if (!isOwn(found)) throw unsafe(home, 'belongs to another user');
  if (process.geteuid !== undefined && isWritableByOthers(found))
    throw unsafe(home, 'can be written to by other users');
}

function unsafe(home: string, what: string): GobonnieError {
  return new GobonnieError(
    'meeting-failed',
    `${shown(home)} ${what}, so it cannot be used for a meeting`,
    'remove it, or set TMPDIR to another directory for all processes',
  );
}

/** Several processes may do this at once. What is left is swept later. */
export function removeTree(directory: string): void {
  succeeds(['ENOENT', ...TAKEN], () => rmSync(directory, { recursive: true, force: true }));
}

export function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

/** False when it failed with one of these codes. */
export function succeeds(codes: readonly string[], act: () => void): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if (hasCode(error, ...codes)) return false;
    throw error;
  }
}
