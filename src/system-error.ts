import { getSystemErrorMap } from 'node:util';
import { GobonnieError } from './errors.js';
import { escaped } from './text/escape.js';

/** As Node throws them, and as a worker posts them. */
export interface SystemError {
  readonly code?: string | undefined;
  readonly errno?: number | null | undefined;
  readonly syscall?: string | null | undefined;
  /** What Node itself does not allow; empty where no flag of it would. */
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

/** Whether it is the machine's, or of whoever started Node, and no bug of ours. */
export function isSystemError({ errno, code }: Partial<SystemError>): boolean {
  return typeof errno === 'number' || code === REFUSED;
}

/** What libuv has no name for, and Node calls UNKNOWN: by Linux's numbers. */
const UNNAMED: ReadonlyMap<number, readonly [code: string, words: string]> = new Map([
  [-122, ['EDQUOT', 'disk quota exceeded']],
  [-116, ['ESTALE', 'stale file handle']],
]);

function systemName({ errno }: SystemError): readonly [code: string, words: string] | undefined {
  return typeof errno === 'number' ? (UNNAMED.get(errno) ?? getSystemErrorMap().get(errno)) : undefined;
}

/** What a system error says, in words: `no space left on device (ENOSPC)`. */
export function systemReason(error: SystemError): string {
  if (error.code === REFUSED)
    return `Node's permission model does not allow it (${error.permission || escaped(error.message)})`;
  const [code, words] = systemName(error) ?? [];
  return code ? `${words} (${code})` : escaped(error.message);
}

/** Where only its name is told: `EMFILE`. Null for what is none of the system's. */
export function systemErrorNamed(name: string): SystemError | null {
  for (const [errno, [code, message]] of getSystemErrorMap())
    if (code === name) return { code, errno, message };
  return null;
}

/** A FUSE filesystem whose daemon has died speaks of connections, which is no help to whoever reads it. */
const GONE_MOUNT =
  'the process that serves this filesystem (FUSE) has ended: mount it anew, or pass another --dir';

const hints: Readonly<Record<string, string>> = {
  ENOSPC: 'free some space, or pass a smaller --size or another --dir',
  ESTALE: 'the file server no longer knows the directory: mount it anew, or pass another --dir',
  EDQUOT: 'your quota is used up: pass a smaller --size or another --dir',
  EFBIG: 'the file size is limited here: raise `ulimit -f`, or pass a smaller --size or more --threads',
  EMFILE: 'too few files may be open: raise `ulimit -n`, or pass fewer --threads',
  ENFILE: 'the system has too many files open: pass fewer --threads',
  ENOMEM: 'there is too little memory: pass fewer --threads or a smaller --block-size',
  EAGAIN: 'too few threads may run here: raise `ulimit -u` or pids.max, or pass fewer --threads',
  EACCES: 'pass a --dir that you may write to',
  EPERM: 'pass a --dir that you may write to',
  EROFS: 'the filesystem is read-only: pass another --dir',
  ENOTCONN: GONE_MOUNT,
  ECONNABORTED: GONE_MOUNT,
  EIO: 'the device or its filesystem reports an error: look at the system log (dmesg)',
};

/** What to do about what is no matter of the path that is named. Null for all else. */
export function hintBeyondPath({ code, permission, syscall }: SystemError): string | null {
  if (code === REFUSED) {
    const flag = ALLOWING[permission ?? ''];
    return flag ? `pass node ${flag} as well, or no --permission` : 'pass node no --permission';
  }
  return syscall === 'uv_cwd' ? 'the current directory was removed: change to one that is there' : null;
}

/** What to do about a system error. */
export function systemHint(error: SystemError): string {
  const [code = error.code ?? ''] = systemName(error) ?? [];
  return hintBeyondPath(error) ?? hints[code] ?? 'pass another --dir';
}

/**
 * What is known of anything thrown: a failed system call is the machine's, be it while modules are loaded. Null for a
 * bug of ours.
 */
export function knownError(error: Partial<SystemError> | null): GobonnieError | null {
  if (error instanceof GobonnieError) return error;
  if (!error || !isSystemError(error)) return null;
  const failed = { ...error, message: error.message ?? '' };
  return new GobonnieError('system-failed', systemReason(failed), systemHint(failed), { cause: error });
}
