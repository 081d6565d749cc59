import { getSystemErrorMap } from 'node:util';
import { GobonnieError } from './errors.js';
import { isPermissionError, permissionHint, permissionReason } from './permission-model.js';
import { escapeControls } from './text/escape.js';
import { flag, type MessageTemplate, msg } from './text/message-template.js';

/** The error of a failed system call, as Node throws it or a worker posts it. */
export interface SystemError {
  readonly code: string;
  readonly errno?: number | null | undefined;
  readonly syscall?: string | null | undefined;
  /** The file that the call was about. */
  readonly path?: string | undefined;
  readonly message: string;
}

/** Whether the system or Node's permission model refused something. Any other error is gobonnie's own, or a bug. */
export function isSystemError(error: unknown): error is SystemError {
  if (isPermissionError(error)) return true;
  const { code, errno } = (error ?? {}) as Partial<SystemError>;
  return typeof code === 'string' && typeof errno === 'number' && isSystemCode(code);
}

function isSystemCode(code: string): boolean {
  return findSystemError(code) !== null || code.startsWith('Unknown system error ');
}

/** Whether an error has one of these codes: `hasCode(error, 'ENOENT')`. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  const { code } = (error ?? {}) as Partial<SystemError>;
  return code !== undefined && codes.includes(code);
}

/** Linux's errors that libuv has no name for. Node reports them as unknown. */
const UNNAMED_ERRORS: ReadonlyMap<number, readonly [code: string, words: string]> = new Map([
  [-122, ['EDQUOT', 'disk quota exceeded']],
  [-116, ['ESTALE', 'stale file handle']],
]);

function lookUpSystemError(error: unknown): readonly [code: string, words: string] | undefined {
  if (!isSystemError(error) || typeof error.errno !== 'number') return undefined;
  return UNNAMED_ERRORS.get(error.errno) ?? getSystemErrorMap().get(error.errno);
}

/** Why something failed: `no space left on device (ENOSPC)`, or the error's own message. */
export function systemReason(error: unknown): string {
  if (isPermissionError(error)) return permissionReason(error);
  const { message = String(error) } = (error ?? {}) as Partial<SystemError>;
  const [code, words] = lookUpSystemError(error) ?? [];
  return code ? `${words} (${code})` : escapeControls(message);
}

/** The error with this name, such as `EMFILE`, or null. */
export function findSystemError(name: string): SystemError | null {
  for (const [errno, [code, message]] of getSystemErrorMap())
    if (code === name) return { code, errno, message };
  return null;
}

/** If the process behind a FUSE filesystem has died, the system's words about connections do not help. */
const DEAD_MOUNT_HINT =
  'the process that serves this filesystem (FUSE) has ended: mount it again, or measure another directory';

const isWindows = process.platform === 'win32';

const SYSTEM_LOGS: Readonly<Record<string, string>> = {
  darwin: 'the system log (Console)',
  win32: 'the System log in Event Viewer',
};
/** Where the system says more about a failed device. */
export const SYSTEM_LOG = SYSTEM_LOGS[process.platform] ?? 'the system log (dmesg)';

/** Windows has no such limits. */
export const raiseLimitHint = (limit: string) => (isWindows ? '' : `raise ${limit}, or `);

const HINTS: Readonly<Record<string, MessageTemplate>> = {
  ENOSPC: msg`free some space, pass a smaller ${flag('size')}, or measure another directory`,
  ESTALE: 'the file server no longer has the directory: mount it again, or measure another directory',
  EDQUOT: msg`your quota is used up: pass a smaller ${flag('size')} or measure another directory`,
  EFBIG: msg`the file size limit was reached: ${raiseLimitHint('`ulimit -f`')}pass a smaller ${flag('size')} or more ${flag('threads')}`,
  EMFILE: msg`the open-file limit was reached: ${raiseLimitHint('`ulimit -n`')}pass fewer ${flag('threads')}`,
  ENFILE: msg`the system has too many files open: pass fewer ${flag('threads')}`,
  ENOMEM: msg`pass fewer ${flag('threads')} or a smaller ${flag('blockSize')}`,
  EAGAIN: msg`the process limit was reached: ${raiseLimitHint(process.platform === 'linux' ? '`ulimit -u` or pids.max' : '`ulimit -u`')}pass fewer ${flag('threads')}`,
  EACCES: 'pass a directory that you may write to',
  EPERM: 'pass a directory that you may write to',
  EROFS: 'the filesystem is read-only: measure another directory',
  ENOTCONN: DEAD_MOUNT_HINT,
  ECONNABORTED: DEAD_MOUNT_HINT,
  EIO: `the device or its filesystem reports an error: check ${SYSTEM_LOG}`,
};

/** What to do if another path would not help, or null. */
export function pathIndependentHint(error: unknown): string | null {
  if (isPermissionError(error)) return permissionHint(error);
  const { syscall } = (error ?? {}) as Partial<SystemError>;
  return syscall === 'uv_cwd' ? 'the current directory was removed: cd to one that exists' : null;
}

/** What to do about a system error. */
export function systemHint(error: unknown): MessageTemplate {
  const { code: originalCode = '' } = (error ?? {}) as Partial<SystemError>;
  const [code = originalCode] = lookUpSystemError(error) ?? [];
  return pathIndependentHint(error) ?? HINTS[code] ?? 'measure another directory';
}

/** The error to show for anything thrown, as a system call may fail anywhere. Null for a bug. */
export function toGobonnieError(error: unknown): GobonnieError | null {
  if (error instanceof GobonnieError) return error;
  if (!isSystemError(error)) return null;
  return new GobonnieError('system-call-failed', systemReason(error), systemHint(error), { cause: error });
}
