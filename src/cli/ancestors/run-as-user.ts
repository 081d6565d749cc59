import os from 'node:os';
import { GobonnieError } from '../../errors.js';
import { keepOwnIo } from '../../run/kernel/counters.js';
import { type SystemError, systemReason } from '../../system-error.js';
import { shown } from '../../text/escape.js';

/** The values of bonnie++'s -u and -g. */
export interface UserFlags {
  /** `user`, `user:group`, `uid` or `uid:gid`. */
  readonly user?: string | undefined;
  readonly group?: string | undefined;
}

type Getter = 'getuid' | 'geteuid' | 'getgid' | 'getegid';
type Setter = 'setgroups' | 'setuid' | 'seteuid' | 'setgid' | 'setegid';
/** Node has initgroups; its types do not. */
type Calls = Pick<Required<NodeJS.Process>, Getter | Setter> & {
  initgroups(user: string, gid: number): void;
};

/** The calls of a process that concern users. Windows has none of them. */
export type UserProcess = Partial<Calls>;

const ROOT = 0;
/** bonnie++'s choice for a number that is not a user's. */
const GROUP_OF_UNKNOWN = 'nogroup';
/** The next one is -1, which tells the system calls to change nothing. */
const LARGEST_ID = 2 ** 32 - 2;

/** bonnie++ and getc_putc run as root only when told to. */
export function runAsUser(program: string, flags: UserFlags): void {
  refuseRoot(program, flags);
  keepOwnIo();
  becomeUser(flags);
}

export function refuseRoot(program: string, { user, group }: UserFlags, system: UserProcess = process): void {
  if (system.geteuid?.() !== ROOT || user !== undefined || group !== undefined) return;
  throw new GobonnieError(
    'option-invalid',
    `${program} does not run as root unless told to`,
    'pass -u root, or -u nobody to run as that user',
  );
}

/** Changes the user and group of this process and all its threads, for good. */
export function becomeUser(flags: UserFlags, system: UserProcess = process): void {
  if (flags.user === undefined && flags.group === undefined) return;
  if (!hasUsers(system)) throw refusal(flags, 'is not possible on this system', 'leave it out');
  const [, user = flags.user, ofUser] = /^([^:]*):(.*)$/s.exec(flags.user ?? '') ?? [];
  if (ofUser !== undefined && flags.group !== undefined)
    throw refusal(flags, 'names two groups', 'leave one of them out');
  const isRoot = system.geteuid() === ROOT;
  try {
    change(system, isRoot, user, ofUser ?? flags.group);
  } catch (error) {
    throw explained(flags, isRoot, error as SystemError);
  }
}

function change(system: Calls, isRoot: boolean, user: string | undefined, group: string | undefined): void {
  const { username, uid, primary } = accountOf(user, system);
  // Without -g, anyone but root keeps their group.
  const own = isRoot ? (primary ?? GROUP_OF_UNKNOWN) : system.getegid();
  const gid = withId(group ?? own, 'egid', system, () => system.getegid());
  const isDone = () =>
    [system.getuid(), system.geteuid()].every((id) => id === uid) &&
    [system.getgid(), system.getegid()].every((id) => id === gid);
  if (isDone()) return;
  // The user comes last: only root may change groups, and the process would otherwise keep root's.
  if (username === null) system.setgroups([gid]);
  else system.initgroups(username, gid);
  system.setgid(gid);
  system.setuid(uid);
  if (!isDone()) throw new Error('the system did not change the user');
}

/** A number that is not a user's has neither a name nor a primary group. */
function accountOf(user: string | undefined, system: Calls) {
  const unknown = { username: null, uid: system.geteuid(), primary: null };
  if (user === undefined) return unknown;
  return withId(user, 'euid', system, () => {
    try {
      const { username, uid, gid } = os.userInfo();
      return { username, uid, primary: gid };
    } catch {
      return { ...unknown, uid: system.geteuid() };
    }
  });
}

/** Calls `ask` with this effective id, as the system tells a process only about its own user. */
function withId<Result>(
  id: string | number,
  kind: 'euid' | 'egid',
  system: Calls,
  ask: () => Result,
): Result {
  const own = system[`get${kind}`]();
  const isNumber = /^\d+$/.test(String(id)) && Number(id) <= LARGEST_ID;
  system[`set${kind}`](isNumber ? Number(id) : id);
  try {
    return ask();
  } finally {
    system[`set${kind}`](own);
  }
}

function hasUsers(system: UserProcess): system is Calls {
  return system.setuid !== undefined;
}

function explained(flags: UserFlags, isRoot: boolean, error: SystemError): GobonnieError {
  if (error.code === 'ERR_UNKNOWN_CREDENTIAL')
    return refusal(flags, 'names a user or group that does not exist', 'pass one that does, or a number');
  if (!isRoot) return refusal(flags, 'needs root', 'leave it out, or run as root');
  return refusal(
    flags,
    `failed: ${systemReason(error)}`,
    'leave it out, or give this root the right to change users (CAP_SETUID and CAP_SETGID)',
    { cause: error },
  );
}

function refusal(
  { user, group }: UserFlags,
  what: string,
  hint: string,
  options?: ErrorOptions,
): GobonnieError {
  const flags = [
    ...(user === undefined ? [] : ['-u', shown(user)]),
    ...(group === undefined ? [] : ['-g', shown(group)]),
  ];
  return new GobonnieError('option-invalid', `${flags.join(' ')} ${what}`, hint, options);
}
