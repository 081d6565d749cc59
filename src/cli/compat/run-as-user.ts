import { on } from 'node:events';
import os from 'node:os';
import { optionError } from '../../errors.js';
import { keepOwnIoOpen } from '../../run/kernel/counters.js';
import { errorWithReason, hasCode } from '../../system-error.js';
import { display } from '../../text/escape.js';
import type { Terminal } from '../output/terminal.js';
import type { BeforeStep } from '../request.js';
import type { BonniePlusPlusFlags } from './bonnie-plus-plus-flags.js';

/** The values of bonnie++'s -u and -g. */
export interface UserFlags {
  /** `user`, `user:group`, `uid` or `uid:gid`. */
  readonly user?: string | undefined;
  readonly group?: string | undefined;
}

type Id = string | number;

/** The methods of `process` that change the user; Windows lacks them. Node's types lack initgroups. */
type UserCalls = Pick<Required<NodeJS.Process>, 'setgroups' | 'setuid' | 'seteuid' | 'setgid'> & {
  initgroups(user: Id, group: Id): void;
};

const ROOT = 0;
/** The group that bonnie++ uses for a user ID without an account. */
const FALLBACK_GROUP = 'nogroup';

/** bonnie++ runs as root only on request. Changes the user of this process and its threads for good. */
export function runAsUser(flags: UserFlags): void {
  const isRoot = process.geteuid?.() === ROOT;
  if (flags.user === undefined && flags.group === undefined) {
    if (isRoot)
      throw optionError(
        'bonnie++ does not run as root without -u',
        'pass -u root, or -u nobody to run as that user',
      );
    keepOwnIoOpen();
    return;
  }
  const typed = formatUserFlags(flags);
  if (process.setuid === undefined)
    throw optionError(`${typed} is not supported on this system`, 'leave it out');
  const [, user = flags.user, userGroup] = /^([^:]*):(.*)$/s.exec(flags.user ?? '') ?? [];
  if (userGroup !== undefined && flags.group !== undefined)
    throw optionError(`${typed} names two groups`, 'leave one of them out');
  keepOwnIoOpen();
  try {
    switchUser(process as unknown as UserCalls, isRoot, user, userGroup ?? flags.group);
  } catch (cause) {
    if (hasCode(cause, 'ERR_UNKNOWN_CREDENTIAL'))
      throw optionError(
        `${typed} names a user or group that does not exist`,
        'pass one that exists, or a number',
      );
    if (!isRoot) throw optionError(`${typed} needs root`, 'leave it out, or run as root');
    const hint = 'leave it out, or grant root the right to change users (CAP_SETUID and CAP_SETGID)';
    throw errorWithReason('option-invalid', `${typed} failed`, cause, hint);
  }
}

/** Only root may change to another user or group; the kernel rejects that for anyone else. */
function switchUser(system: UserCalls, isRoot: boolean, user: string | undefined, group: string | undefined) {
  const uid = user === undefined ? undefined : toId(user);
  // Root that remains root needs no right to change users, which containers may withhold.
  if (isRoot && group === undefined && (uid === ROOT || uid === 'root')) return;
  const account = isRoot && uid !== undefined ? lookUpAccount(system, uid) : null;
  const defaultGroup = isRoot ? (account?.gid ?? FALLBACK_GROUP) : undefined;
  const gid = group === undefined ? defaultGroup : toId(group);
  // Change the user last: only root may change groups, so the process would otherwise keep root's groups.
  if (isRoot && gid !== undefined) {
    if (account) system.initgroups(account.username, gid);
    else system.setgroups([gid]);
  }
  if (gid !== undefined) system.setgid(gid);
  if (uid !== undefined) system.setuid(uid);
}

function toId(name: string): Id {
  return /^\d+$/.test(name) ? Number(name) : name;
}

/** Null for a user ID without an account. Becomes the user, because Node reports only the process's own account. */
function lookUpAccount(system: UserCalls, user: Id): os.UserInfo<string> | null {
  system.seteuid(user);
  try {
    return os.userInfo();
  } catch {
    return null;
  } finally {
    system.seteuid(ROOT);
  }
}

function formatUserFlags({ user, group }: UserFlags): string {
  const flags: string[] = [];
  if (user !== undefined) flags.push('-u', display(user));
  if (group !== undefined) flags.push('-g', display(group));
  return flags.join(' ');
}

/** Changes the user for -u and -g immediately. For -y, returns the function that waits before each phase. */
export function prepareBonniePlusPlus(
  { user, group, wait, quiet }: BonniePlusPlusFlags,
  terminal: Terminal,
): BeforeStep | undefined {
  const { process, log } = terminal;
  runAsUser({ user, group });
  if (!quiet && (user !== undefined || group !== undefined))
    log(`Using uid:${process.geteuid?.()}, gid:${process.getegid?.()}.`);
  if (wait === undefined) return undefined;
  const { stdin } = process;
  return async (phase, _run, signal) => {
    if (!stdin) return;
    log(`Press Enter to start ${phase}`);
    await waitForInput(stdin, signal);
  };
}

/** Resolves on input, or immediately if stdin has ended. */
async function waitForInput(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<void> {
  if (stdin.readableEnded) return;
  const input = on(stdin, 'data', { signal, close: ['end'] });
  stdin.resume();
  try {
    // A loop, which also removes the listeners.
    for await (const _ of input) break;
  } finally {
    stdin.pause();
  }
}
