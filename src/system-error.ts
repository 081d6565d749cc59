import { getSystemErrorMap } from 'node:util';
import { GobonnieError } from './errors.js';
import { escaped } from './text/escape.js';
import { flag, type Sentence, sentence } from './text/sentence.js';

/** What a failed system call leaves, as Node throws it and as a worker posts it. */
export interface SystemError {
  readonly code: string;
  readonly errno?: number | null | undefined;
  readonly syscall?: string | null | undefined;
  /** The file that the call was about. */
  readonly path?: string | undefined;
  /** What Node's permission model does not allow; empty if no flag would. */
  readonly permission?: string | undefined;
  readonly message: string;
}

/** The code of what Node's permission model refuses, which no system call has seen. */
const REFUSED = 'ERR_ACCESS_DENIED';
/** node's flags that allow it, by its name of the permission. */
const ALLOWING: Readonly<Record<string, string>> = {
  FileSystemRead: '--allow-fs-read=*',
  FileSystemWrite: '--allow-fs-write=*',
  WorkerThreads: '--allow-worker',
};

/** Whether the system, or Node's permission model, refused something. Any other error is a bug of ours or an error of ours. */
export function isSystemError(error: unknown): error is SystemError {
  const { code, errno } = (error ?? {}) as Partial<SystemError>;
  if (typeof code !== 'string') return false;
  return code === REFUSED || (typeof errno === 'number' && isSystemCode(code));
}

function isSystemCode(code: string): boolean {
  return systemErrorNamed(code) !== null || code.startsWith('Unknown system error ');
}

/** Whether it has one of these codes: `hasCode(error, 'ENOENT')`. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  const { code } = (error ?? {}) as Partial<SystemError>;
  return code !== undefined && codes.includes(code);
}

/** What libuv has no name for, and Node calls UNKNOWN: by Linux's numbers. */
const UNNAMED: ReadonlyMap<number, readonly [code: string, words: string]> = new Map([
  [-122, ['EDQUOT', 'disk quota exceeded']],
  [-116, ['ESTALE', 'stale file handle']],
]);

function systemName(error: unknown): readonly [code: string, words: string] | undefined {
  if (!isSystemError(error) || typeof error.errno !== 'number') return undefined;
  return UNNAMED.get(error.errno) ?? getSystemErrorMap().get(error.errno);
}

/** Why something failed: `no space left on device (ENOSPC)`, or the error's own message. */
export function systemReason(error: unknown): string {
  const { message = String(error), permission } = (error ?? {}) as Partial<SystemError>;
  if (hasCode(error, REFUSED))
    return `Node's permission model does not allow it (${permission || escaped(message)})`;
  const [code, words] = systemName(error) ?? [];
  return code ? `${words} (${code})` : escaped(message);
}

/** Of a name alone: `EMFILE`. Null if no system error has it. */
export function systemErrorNamed(name: string): SystemError | null {
  for (const [errno, [code, message]] of getSystemErrorMap())
    if (code === name) return { code, errno, message };
  return null;
}

/** A FUSE filesystem whose daemon has died speaks of connections, which is no help to whoever reads it. */
const GONE_MOUNT =
  'the process that serves this filesystem (FUSE) has ended: mount it again, or measure another directory';

const hints: Readonly<Record<string, Sentence>> = {
  ENOSPC: sentence`free some space, pass a smaller ${flag('size')}, or measure another directory`,
  ESTALE: 'the file server no longer knows the directory: mount it again, or measure another directory',
  EDQUOT: sentence`your quota is used up: pass a smaller ${flag('size')} or measure another directory`,
  EFBIG: sentence`the file size is limited here: raise \`ulimit -f\`, or pass a smaller ${flag('size')} or more ${flag('threads')}`,
  EMFILE: sentence`too few files may be open: raise \`ulimit -n\`, or pass fewer ${flag('threads')}`,
  ENFILE: sentence`the system has too many files open: pass fewer ${flag('threads')}`,
  ENOMEM: sentence`there is too little memory: pass fewer ${flag('threads')} or a smaller ${flag('blockSize')}`,
  EAGAIN: sentence`too few threads may run here: raise \`ulimit -u\` or pids.max, or pass fewer ${flag('threads')}`,
  EACCES: 'pass a directory that you may write to',
  EPERM: 'pass a directory that you may write to',
  EROFS: 'the filesystem is read-only: measure another directory',
  ENOTCONN: GONE_MOUNT,
  ECONNABORTED: GONE_MOUNT,
  EIO: 'the device or its filesystem reports an error: look at the system log (dmesg)',
};

/** What to do when another path would not help. Null for all else. */
export function hintBeyondPath(error: unknown): string | null {
  const { permission, syscall } = (error ?? {}) as Partial<SystemError>;
  if (hasCode(error, REFUSED)) {
    const flag = ALLOWING[permission ?? ''];
    return flag ? `pass node ${flag} as well, or no --permission` : 'pass node no --permission';
  }
  return syscall === 'uv_cwd' ? 'the current directory was removed: change to one that is there' : null;
}

/** What to do about a system error. */
export function systemHint(error: unknown): Sentence {
  const { code: given = '' } = (error ?? {}) as Partial<SystemError>;
  const [code = given] = systemName(error) ?? [];
  return hintBeyondPath(error) ?? hints[code] ?? 'measure another directory';
}

/** Anything thrown as an error to show in one line: a failed system call may come from anywhere. Null for a bug. */
export function knownError(error: unknown): GobonnieError | null {
  if (error instanceof GobonnieError) return error;
  if (!isSystemError(error)) return null;
  return new GobonnieError('system-failed', systemReason(error), systemHint(error), { cause: error });
}
