import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isAlive, type ProcessId } from '../scratch/owner.js';
import { hasCode } from '../system-error.js';
import { type MeetingDirectory, namesIn, removeTree, succeeds, TAKEN } from './meeting-directory.js';

/** What a process tells the others. */
export interface Member extends ProcessId {
  /** How many phases it has come to, and the name of the last. */
  readonly arrivals: number;
  readonly phase: string;
}

/** Of all that ever joined. */
export function memberNames(meeting: MeetingDirectory): readonly string[] {
  return namesIn(meeting.path).filter((name) => name.startsWith('member.'));
}

/** Null when it has left, is gone with the meeting, or was half written when the machine went down. */
export function readMember(meeting: MeetingDirectory, name: string): Member | null {
  try {
    return JSON.parse(readFileSync(path.join(meeting.path, name, 'state'), 'utf8')) as Member;
  } catch (error) {
    if (error instanceof SyntaxError || hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

export function isPresent(member: Member | null): member is Member {
  return member !== null && isAlive(member);
}

/** Gives the name to write and leave by; null when the meeting is full or gone. */
export function addMember(meeting: MeetingDirectory, member: Member): string | null {
  const draft = path.join(meeting.path, `draft.${randomUUID()}`);
  const isDrafted = succeeds(['ENOENT'], () => {
    mkdirSync(draft, { mode: 0o700 });
    makeFile(path.join(draft, 'state'), member);
  });
  for (let at = 0; isDrafted && at < meeting.size; at++) {
    const name = `member.${at}`;
    if (succeeds(['ENOENT', ...TAKEN], () => renameSync(draft, path.join(meeting.path, name)))) return name;
  }
  removeTree(draft);
  return null;
}

/** For this process's own name only. False when the meeting is gone. */
export function writeMember(meeting: MeetingDirectory, name: string, member: Member): boolean {
  const next = path.join(meeting.path, name, 'next');
  return succeeds(['ENOENT'], () => {
    makeFile(next, member);
    renameSync(next, path.join(meeting.path, name, 'state'));
  });
}

/** Nobody else gets the name. False when the meeting is gone. */
export function leaveAs(meeting: MeetingDirectory, name: string): boolean {
  const own = path.join(meeting.path, name);
  return succeeds(['ENOENT'], () => renameSync(path.join(own, 'state'), path.join(own, 'left')));
}

function makeFile(file: string, member: Member): void {
  writeFileSync(file, JSON.stringify(member), { flag: 'wx', mode: 0o600 });
}
