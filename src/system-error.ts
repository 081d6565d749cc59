import { getSystemErrorMap } from 'node:util';
import { type ErrorCode, GobonnieError } from './errors.js';
import { escapeControls } from './text/escape.js';
import { flag, type MessageTemplate, msg } from './text/message-template.js';

/** Error of a failed system call, thrown by Node or posted by a worker. */
export interface SystemError {
  readonly code: string;
  readonly errno?: number | null | undefined;
  readonly syscall?: string | null | undefined;
  /** The file passed to the call. */
  readonly path?: string | undefined;
  readonly message: string;
}

/** Code of Node's permission model, which rejects a call before it reaches the system. */
const ACCESS_DENIED = 'ERR_ACCESS_DENIED';

/** True if the system or Node's permission model raised the error. Any other error is gobonnie's own, or a bug. */
export function isSystemError(error: unknown): error is SystemError {
  if (hasCode(error, ACCESS_DENIED)) return true;
  const { code, errno } = (error ?? {}) as Partial<SystemError>;
  if (typeof code !== 'string' || typeof errno !== 'number') return false;
  if (findSystemError(code) !== null || UNNAMED_ERRORS.has(errno)) return true;
  return code.startsWith('Unknown system error ');
}

/** True if the error has one of these codes: `hasCode(error, 'ENOENT')`. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  const { code } = (error ?? {}) as Partial<SystemError>;
  return code !== undefined && codes.includes(code);
}

/** Returns null if the file is missing. */
export async function nullIfMissing<Result>(act: Promise<Result>): Promise<Result | null> {
  return act.catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  });
}

/** Linux errors that libuv does not name. Node reports them as unknown; Bun has their codes. */
const UNNAMED_ERRORS: ReadonlyMap<number, readonly [code: string, words: string]> = new Map([
  [-122, ['EDQUOT', 'disk quota exceeded']],
  [-117, ['EUCLEAN', 'structure needs cleaning']],
  [-116, ['ESTALE', 'stale file handle']],
]);

function lookUpSystemError(error: unknown): readonly [code: string, words: string] | undefined {
  if (hasCode(error, ACCESS_DENIED)) return [ACCESS_DENIED, "Node's permission model forbids this"];
  if (!isSystemError(error) || typeof error.errno !== 'number') return undefined;
  return UNNAMED_ERRORS.get(error.errno) ?? getSystemErrorMap().get(error.errno);
}

/** Returns the reason of a failure: `no space left on device (ENOSPC)`, or the error's own message. */
export function systemReason(error: unknown): string {
  const { message = String(error) } = (error ?? {}) as Partial<SystemError>;
  const [code, words] = lookUpSystemError(error) ?? [];
  return code ? `${words} (${code})` : escapeControls(message);
}

/** Returns the error with this name, for example `EMFILE`, or null. */
export function findSystemError(name: string): SystemError | null {
  for (const [errno, [code, message]] of getSystemErrorMap())
    if (code === name) return { code, errno, message };
  return null;
}

/** The system's message about connections does not explain that a FUSE process has died. */
const DEAD_MOUNT_HINT =
  'the process that serves this filesystem (FUSE) has ended: mount it again, or measure another directory';

const SYSTEM_LOGS: Readonly<Record<string, string>> = {
  darwin: 'the system log (Console)',
  win32: 'the System log in Event Viewer',
};
/** The log in which the system reports details of a failed device. */
export const SYSTEM_LOG = SYSTEM_LOGS[process.platform] ?? 'the system log (dmesg)';

/** Empty on Windows, which has no ulimits. */
export const raiseLimitHint = (limit: string) => (process.platform === 'win32' ? '' : `raise ${limit}, or `);

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
  EUCLEAN: 'the filesystem is damaged: repair it with fsck, or measure another directory',
  EIO: `the device or its filesystem reports an error: check ${SYSTEM_LOG}`,
};

/** Returns a hint if another path would not help, otherwise null. */
export function pathIndependentHint(error: unknown): string | null {
  if (hasCode(error, ACCESS_DENIED)) return 'run node without its permission model';
  const { syscall } = (error ?? {}) as Partial<SystemError>;
  return syscall === 'uv_cwd' ? 'the current directory was removed: cd to one that exists' : null;
}

export function systemHint(error: unknown): MessageTemplate {
  const { code: originalCode = '' } = (error ?? {}) as Partial<SystemError>;
  const [code = originalCode] = lookUpSystemError(error) ?? [];
  return pathIndependentHint(error) ?? HINTS[code] ?? 'measure another directory';
}

/** Returns an error whose message ends with the reason of its cause. */
export function errorWithReason(
  code: ErrorCode,
  message: MessageTemplate,
  cause: unknown,
  hint: MessageTemplate = systemHint(cause),
): GobonnieError {
  return new GobonnieError(code, msg`${message}: ${systemReason(cause)}`, hint, { cause });
}

/** Converts any thrown value to an error to show, because system calls can fail anywhere. Null for a bug. */
export function toGobonnieError(error: unknown): GobonnieError | null {
  if (error instanceof GobonnieError) return error;
  if (!isSystemError(error)) return null;
  return new GobonnieError('system-call-failed', systemReason(error), systemHint(error), { cause: error });
}
