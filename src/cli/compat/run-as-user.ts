import os from 'node:os';
import { GobonnieError } from '../../errors.js';
import { keepOwnIoOpen } from '../../run/kernel/counters.js';
import { type SystemError, systemReason } from '../../system-error.js';
import { display } from '../../text/escape.js';

/** The values of bonnie++'s -u and -g. */
export interface UserFlags {
  /** `user`, `user:group`, `uid` or `uid:gid`. */
  readonly user?: string | undefined;
  readonly group?: string | undefined;
}

type Getter = 'getuid' | 'geteuid' | 'getgid' | 'getegid';
type Setter = 'setgroups' | 'setuid' | 'seteuid' | 'setgid' | 'setegid';
/** Node has initgroups; its types do not. */
type UserCalls = Pick<Required<NodeJS.Process>, Getter | Setter> & {
  initgroups(user: string, gid: number): void;
};

/** The methods of `process` that concern users. Windows lacks them. */
export type UserProcess = Partial<UserCalls>;

const ROOT = 0;
/** The group that bonnie++ uses for a user ID without an account. */
const FALLBACK_GROUP = 'nogroup';
/** The next ID is -1, with which the system calls change nothing. */
const MAX_ID = 2 ** 32 - 2;

/** bonnie++ and getc_putc run as root only on request. */
export function runAsUser(program: string, flags: UserFlags): void {
  rejectRoot(program, flags);
  keepOwnIoOpen();
  switchUser(flags);
}

export function rejectRoot(program: string, { user, group }: UserFlags, system: UserProcess = process): void {
  if (system.geteuid?.() !== ROOT || user !== undefined || group !== undefined) return;
  throw new GobonnieError(
    'option-invalid',
    `${program} does not run as root without -u`,
    'pass -u root, or -u nobody to run as that user',
  );
}

/** Changes the user and group of this process and all its threads, for good. */
export function switchUser(flags: UserFlags, system: UserProcess = process): void {
  if (flags.user === undefined && flags.group === undefined) return;
  if (!supportsUsers(system)) throw userFlagsError(flags, 'is not supported on this system', 'leave it out');
  const [, user = flags.user, userGroup] = /^([^:]*):(.*)$/s.exec(flags.user ?? '') ?? [];
  if (userGroup !== undefined && flags.group !== undefined)
    throw userFlagsError(flags, 'names two groups', 'leave one of them out');
  const isRoot = system.geteuid() === ROOT;
  try {
    applyIds(system, isRoot, user, userGroup ?? flags.group);
  } catch (error) {
    throw explainError(flags, isRoot, error as SystemError);
  }
}

function applyIds(
  system: UserCalls,
  isRoot: boolean,
  user: string | undefined,
  group: string | undefined,
): void {
  const { username, uid, primary } = lookUpAccount(user, system);
  // Without -g, anyone but root keeps their group.
  const defaultGroup = isRoot ? (primary ?? FALLBACK_GROUP) : system.getegid();
  const gid = withEffectiveId(group ?? defaultGroup, 'egid', system, () => system.getegid());
  const isApplied = () =>
    [system.getuid(), system.geteuid()].every((id) => id === uid) &&
    [system.getgid(), system.getegid()].every((id) => id === gid);
  if (isApplied()) return;
  // Change the user last: only root may change groups, so the process would otherwise keep root's groups.
  if (username === null) system.setgroups([gid]);
  else system.initgroups(username, gid);
  system.setgid(gid);
  system.setuid(uid);
  if (!isApplied()) throw new Error('the system did not change the user');
}

/** The name and the primary group are null for a user ID without an account. */
function lookUpAccount(user: string | undefined, system: UserCalls) {
  const unknown = { username: null, uid: system.geteuid(), primary: null };
  if (user === undefined) return unknown;
  return withEffectiveId(user, 'euid', system, () => {
    try {
      const { username, uid, gid } = os.userInfo();
      return { username, uid, primary: gid };
    } catch {
      return { ...unknown, uid: system.geteuid() };
    }
  });
}

/** Calls `action` with this effective ID, because the system reports only the process's own account. */
function withEffectiveId<Result>(
  id: string | number,
  kind: 'euid' | 'egid',
  system: UserCalls,
  action: () => Result,
): Result {
  const previous = system[`get${kind}`]();
  const isNumber = /^\d+$/.test(String(id)) && Number(id) <= MAX_ID;
  system[`set${kind}`](isNumber ? Number(id) : id);
  try {
    return action();
  } finally {
    system[`set${kind}`](previous);
  }
}

function supportsUsers(system: UserProcess): system is UserCalls {
  return system.setuid !== undefined;
}

function explainError(flags: UserFlags, isRoot: boolean, error: SystemError): GobonnieError {
  if (error.code === 'ERR_UNKNOWN_CREDENTIAL')
    return userFlagsError(
      flags,
      'names a user or group that does not exist',
      'pass one that exists, or a number',
    );
  if (!isRoot) return userFlagsError(flags, 'needs root', 'leave it out, or run as root');
  return userFlagsError(
    flags,
    `failed: ${systemReason(error)}`,
    'leave it out, or grant root the right to change users (CAP_SETUID and CAP_SETGID)',
    { cause: error },
  );
}

function userFlagsError(
  { user, group }: UserFlags,
  problem: string,
  hint: string,
  options?: ErrorOptions,
): GobonnieError {
  const flags: string[] = [];
  if (user !== undefined) flags.push('-u', display(user));
  if (group !== undefined) flags.push('-g', display(group));
  return new GobonnieError('option-invalid', `${flags.join(' ')} ${problem}`, hint, options);
}
