import { readFileSync } from 'node:fs';
import { GobonnieError } from '../../errors.js';
import { keepOwnIo } from '../../run/kernel/own-io.js';
import { systemReason } from '../../system-error.js';
import { shown } from '../../text/escape.js';
import { parseGroups, parseId, parseUsers, type User } from './user-database.js';

/** The values of bonnie++'s -u and -g, as they were given. */
export interface Asked {
  /** `user`, `user:group`, `uid` or `uid:gid`. */
  readonly user?: string | undefined;
  readonly group?: string | undefined;
}

type Calls = Pick<
  Required<NodeJS.Process>,
  'getuid' | 'geteuid' | 'getgid' | 'getegid' | 'setgroups' | 'setgid' | 'setuid'
> & {
  /** Node has it; its types do not. */
  initgroups(user: string, extraGroup: number): void;
};

/** What of a process has to do with who it is. On Windows none of it is there. */
export type IdentityProcess = Partial<Calls>;

/** A number that is no user's. */
interface Stranger {
  readonly name: null;
  readonly uid: number;
  readonly gid: null;
}

/** Whom to become. */
interface Target {
  /** Who is in the groups of this name; null is in none. */
  readonly name: string | null;
  readonly uid: number;
  readonly gid: number;
  readonly isGroupAsked: boolean;
}

const STRANGER = { name: null, gid: null } as const;
/** bonnie++'s choice. */
const GROUP_OF_STRANGERS = 'nogroup';

/** Makes this process and all its threads the user and the group that are asked for, for good. */
export function becomeUser(asked: Asked, system: IdentityProcess = process): void {
  if (asked.user === undefined && asked.group === undefined) return;
  if (!hasCalls(system))
    throw refusal(asked, 'asks for another user, which cannot be had on this system', 'leave it out');
  const target = targetOf(asked, system.geteuid());
  if (isAlready(target, system)) return;
  if (system.geteuid() !== 0)
    throw refusal(asked, 'asks for somebody else, whom only root can become', 'leave it out, or run as root');
  try {
    change(target, system);
  } catch (cause) {
    throw failed(asked, systemReason(cause), { cause });
  }
  if (!isAlready({ ...target, isGroupAsked: true }, system)) throw failed(asked, 'the system did not do it');
}

/** bonnie++ and its companions write as root only when they are told to. */
export function becomeAsked(program: string, asked: Asked): void {
  refuseRoot(program, asked);
  keepOwnIo();
  becomeUser(asked);
}

export function refuseRoot(program: string, asked: Asked, system: IdentityProcess = process): void {
  if (system.geteuid?.() !== 0 || asked.user !== undefined || asked.group !== undefined) return;
  throw new GobonnieError(
    'option-invalid',
    `${program} runs as root only when it is told to`,
    'pass -u root, or -u nobody to become that user',
  );
}

function hasCalls(system: IdentityProcess): system is Calls {
  return system.setuid !== undefined;
}

/** One without a group asked for is the user with any. */
function isAlready({ uid, gid, isGroupAsked }: Target, system: Calls): boolean {
  const isUser = system.getuid() === uid && system.geteuid() === uid;
  const isGroup = system.getgid() === gid && system.getegid() === gid;
  return isUser && (isGroup || (!isGroupAsked && uid !== 0));
}

/** The user comes last, as nobody but root may change the groups; root's own would stay with the process otherwise. */
function change({ name, uid, gid }: Target, system: Calls): void {
  if (name === null) system.setgroups([gid]);
  else system.initgroups(name, gid);
  system.setgid(gid);
  system.setuid(uid);
}

function targetOf(asked: Asked, ownUid: number): Target {
  const { user: userText, group: groupText } = split(asked);
  const { name, uid, gid } =
    userText === undefined ? { ...STRANGER, uid: ownUid } : findUser(asked, userText);
  const isGroupAsked = groupText !== undefined;
  if (gid !== null && !isGroupAsked) return { name, uid, gid, isGroupAsked };
  return { name, uid, gid: findGroup(asked, groupText ?? GROUP_OF_STRANGERS), isGroupAsked };
}

/** `user:group` is what -u and -g say, too. */
function split(asked: Asked): Asked {
  const [, user, group] = /^([^:]*):(.*)$/s.exec(asked.user ?? '') ?? [];
  if (group === undefined) return asked;
  if (asked.group !== undefined) throw refusal(asked, 'asks for two groups', 'leave one of them out');
  return { user, group };
}

/** By name or by number, which need not be anybody's. */
function findUser(asked: Asked, text: string): User | Stranger {
  const uid = parseId(text);
  const users = parseUsers(contentOf('/etc/passwd'));
  const user = users.find((row) => (uid === null ? row.name === text : row.uid === uid));
  if (user) return user;
  if (uid !== null) return { ...STRANGER, uid };
  throw refusal(
    asked,
    `asks for the user ${shown(text)}, who is not in /etc/passwd`,
    'pass one who is, or a number',
  );
}

function findGroup(asked: Asked, text: string): number {
  const gid = parseId(text) ?? parseGroups(contentOf('/etc/group')).find(({ name }) => name === text)?.gid;
  if (gid !== undefined) return gid;
  throw refusal(
    asked,
    `asks for the group ${shown(text)}, which is not in /etc/group`,
    'pass one that is, or a number',
  );
}

/** A container may have none of these files, and numbers do without them. */
function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function refusal({ user, group }: Asked, what: string, hint: string, options?: ErrorOptions): GobonnieError {
  const flags = [
    user === undefined ? [] : ['-u', shown(user)],
    group === undefined ? [] : ['-g', shown(group)],
  ];
  return new GobonnieError('option-invalid', `${flags.flat().join(' ')} ${what}`, hint, options);
}

function failed(asked: Asked, reason: string, options?: ErrorOptions): GobonnieError {
  return refusal(
    asked,
    `cannot be done here: ${reason}`,
    'leave it out, or give this root the right to become others (CAP_SETUID and CAP_SETGID)',
    options,
  );
}
