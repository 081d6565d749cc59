import path from 'node:path';
import { display, escapeControls } from './text/escape.js';

/** Error code of Node's permission model, which rejects a call before it reaches the system. */
const CODE = 'ERR_ACCESS_DENIED';

/** An error of Node's permission model. */
interface PermissionError {
  readonly message: string;
  /** Missing permission. Empty if no flag grants it. */
  readonly permission?: string;
  /** The file, if the permission concerns a file. */
  readonly resource?: string;
}

/** The node flag that grants each permission. */
const FLAGS: Readonly<Record<string, string>> = {
  ChildProcess: '--allow-child-process',
  FileSystemRead: '--allow-fs-read',
  FileSystemWrite: '--allow-fs-write',
  WorkerThreads: '--allow-worker',
};

/** Read access must cover everything, because gobonnie also checks every parent of the measured directory. */
const ALL = '="*"';
/** Path prefix of files opened through a directory handle. The rest of the path changes with every run. */
const THROUGH_OPEN = '/proc/';

export function isPermissionError(error: unknown): error is PermissionError {
  return (error as { code?: unknown } | null | undefined)?.code === CODE;
}

/** Returns the reason of a permission error. */
export function permissionReason({ permission = '', message }: PermissionError): string {
  const flag = FLAGS[permission];
  return flag
    ? `Node's permission model requires ${flag}`
    : `Node's permission model does not allow it (${escapeControls(message).replace(/[.]$/, '')})`;
}

/** Returns a hint on how to fix a permission error. */
export function permissionHint({ permission = '', resource = THROUGH_OPEN }: PermissionError): string {
  const flag = FLAGS[permission];
  if (!flag) return `run node without ${switchFlag()}`;
  return `add ${flag}${valueFor(permission, resource)}, or run node without ${switchFlag()}`;
}

function valueFor(permission: string, resource: string): string {
  if (permission === 'FileSystemRead') return ALL;
  if (permission !== 'FileSystemWrite') return '';
  return resource.startsWith(THROUGH_OPEN) ? ALL : `=${display(plainPath(path.dirname(resource)))}`;
}

/** Strips `\\?\` from `\\?\C:\data`: node reports it on Windows, but does not accept it in its flag. */
function plainPath(file: string): string {
  return file.replace(/^\\\\\?\\(UNC\\)?/, (_, share) => (share ? '\\\\' : ''));
}

/** Returns the flag that turns the permission model on in this Node. */
function switchFlag(): string {
  return isExperimental() ? '--experimental-permission' : '--permission';
}

/** True in Node 20, and in 22 before 22.13. */
function isExperimental(): boolean {
  return !process.allowedNodeEnvironmentFlags.has('--permission');
}

/**
 * Throws without permission to read, if the permission model is experimental: there it loses the error of a rejected
 * `node:fs` promise call, and ends the process with a stack trace.
 */
export function rejectLostErrors(): void {
  if (isExperimental()) rejectForbidden('FileSystemRead', path.resolve('/'));
}

const SCOPES = { FileSystemRead: 'fs.read', FileSystemWrite: 'fs.write' } as const;

/** Throws the same error as Node if the permission is missing. */
export function rejectForbidden(permission: keyof typeof SCOPES, resource: string): void {
  if (process.permission?.has(SCOPES[permission], resource) !== false) return;
  throw Object.assign(new Error('Access to this API has been restricted'), {
    code: CODE,
    permission,
    resource,
  });
}
