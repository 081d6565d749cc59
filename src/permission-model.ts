import path from 'node:path';
import { display, escapeControls } from './text/escape.js';

/** The code of Node's permission model, which refuses before any system call. */
const CODE = 'ERR_ACCESS_DENIED';

/** Its error. */
interface PermissionError {
  readonly message: string;
  /** Empty if no flag grants it. */
  readonly permission?: string;
  /** The file, if it is about one. */
  readonly resource?: string;
}

/** The flag of node that grants each permission. */
const FLAGS: Readonly<Record<string, string>> = {
  ChildProcess: '--allow-child-process',
  FileSystemRead: '--allow-fs-read',
  FileSystemWrite: '--allow-fs-write',
  WorkerThreads: '--allow-worker',
};

/** Every directory above the one that is measured is looked at, too. */
const ALL = '="*"';
/** Files in a directory that others can rename are opened through it, under a path that is another one in each run. */
const THROUGH_OPEN = '/proc/';

export function isPermissionError(error: unknown): error is PermissionError {
  return (error as { code?: unknown } | null | undefined)?.code === CODE;
}

/** Why it failed. */
export function permissionReason({ permission = '', message }: PermissionError): string {
  const flag = FLAGS[permission];
  return flag
    ? `Node's permission model requires ${flag}`
    : `Node's permission model does not allow it (${escapeControls(message).replace(/[.]$/, '')})`;
}

/** What to do about it. */
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

/** On Windows node names files as `\\?\C:\data`, and takes no such path for its flag. */
function plainPath(file: string): string {
  return file.replace(/^\\\\\?\\(UNC\\)?/, (_, share) => (share ? '\\\\' : ''));
}

/** The flag that turns it on in this Node. */
function switchFlag(): string {
  return isExperimental() ? '--experimental-permission' : '--permission';
}

/** In Node 20, and in 22 before 22.13. */
function isExperimental(): boolean {
  return !process.allowedNodeEnvironmentFlags.has('--permission');
}

/**
 * As an experiment it loses the error if it refuses a file to a promise of `node:fs`, and ends the process with a stack. So
 * there gobonnie does not begin without the permission to read.
 */
export function rejectLostErrors(): void {
  if (isExperimental()) rejectForbidden('FileSystemRead', path.resolve('/'));
}

const SCOPES = { FileSystemRead: 'fs.read', FileSystemWrite: 'fs.write' } as const;

/** Throws as Node would. */
export function rejectForbidden(permission: keyof typeof SCOPES, resource: string): void {
  if (process.permission?.has(SCOPES[permission], resource) !== false) return;
  throw Object.assign(new Error('Access to this API has been restricted'), {
    code: CODE,
    permission,
    resource,
  });
}
