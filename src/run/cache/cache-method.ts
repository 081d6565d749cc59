import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { SYNC_PATHS } from '../../../workers/phases/tool-phase.js';
import { GobonnieError } from '../../errors.js';
import type { Machine } from '../../machine/machine-schema.js';
import type { Options } from '../../options/options-schema.js';
import { isSystemError } from '../../system-error.js';

const DROP_CACHES = '/proc/sys/vm/drop_caches';
/** Drops pages, directory entries and inodes. */
const DROP_ALL = '3';
const PURGE = '/usr/sbin/purge';
/** Fixed paths instead of PATH, because gobonnie may run as root. */
const DD_PATHS = ['/usr/bin/dd', '/bin/dd'] as const;
const DD_FLAGS = ['iflag=nocache,nofollow', 'count=0', 'status=none'] as const;
const XARGS = '/usr/bin/xargs';

/** A way to drop the page cache, so reads come from the device. */
export interface CacheMethod {
  /** The value of --cache. Only root can `drop`. */
  readonly name: 'drop' | 'evict';
  readonly platform: Machine['platform'];
  /** True if it can be repeated while a phase runs. */
  readonly canRepeat: boolean;
  readonly empty: (files: readonly string[]) => Promise<unknown>;
}

/** The best method first. */
const CACHE_METHODS: readonly CacheMethod[] = [
  {
    name: 'drop',
    platform: 'linux',
    canRepeat: true,
    empty: () => writeFile(DROP_CACHES, DROP_ALL),
  },
  // purge takes seconds, so gobonnie does not repeat it while the clock runs.
  { name: 'drop', platform: 'darwin', canRepeat: false, empty: () => runProgram(PURGE, []) },
  { name: 'evict', platform: 'linux', canRepeat: false, empty: evictWithDd },
];

async function evictWithDd(files: readonly string[]): Promise<void> {
  const dd = DD_PATHS.find((file) => existsSync(file));
  if (dd === undefined) throw new Error('found no dd');
  if (files.length === 0) return;
  try {
    // dd takes one file. xargs starts a dd in 1 ms, this process in 20 ms.
    const evict = ['-0', '-n', '1', '-P', String(availableParallelism()), dd, ...DD_FLAGS];
    await runProgram(XARGS, evict, files.map((file) => `if=${file}\0`).join(''));
  } catch (error) {
    if (await isCoreutilsDd(dd))
      throw isSystemError(error) ? error : new Error(`${dd} failed`, { cause: error });
    // Only GNU coreutils' dd has iflag=nocache.
    const hint = 'install GNU coreutils (Alpine: apk add coreutils)';
    throw new GobonnieError('cache-failed', `${dd} is not GNU dd`, hint);
  }
}

/** Returns false for busybox's dd, for example on Alpine. */
async function isCoreutilsDd(dd: string): Promise<boolean> {
  return promisify(execFile)(dd, ['--version']).then(
    ({ stdout }) => stdout.includes('coreutils'),
    () => false,
  );
}

/** Syncs all filesystems: the kernel drops only clean directories and inodes. */
export async function syncEverything(): Promise<void> {
  const sync = SYNC_PATHS.find((file) => existsSync(file));
  if (sync !== undefined) await runProgram(sync, []);
}

/** Runs a program. The error leaves out its stderr, which may have several lines. */
async function runProgram(program: string, args: readonly string[], input = ''): Promise<void> {
  try {
    const ended = promisify(execFile)(program, args);
    // A program that fails may not read its input; its exit code says so.
    ended.child.stdin?.on('error', () => {}).end(input);
    await ended;
  } catch (cause) {
    if (isSystemError(cause)) throw cause;
    throw new Error(`${program} exited with code ${(cause as { code?: unknown }).code}`, { cause });
  }
}

/** Returns the methods that --cache allows and that work on this system as this user. */
export function cacheMethodsFor(
  mode: Options['cache'],
  { platform, isRoot }: Pick<Machine, 'platform' | 'isRoot'>,
): readonly CacheMethod[] {
  return CACHE_METHODS.filter(
    (method) =>
      (mode === 'auto' || mode === method.name) &&
      method.platform === platform &&
      (isRoot || method.name === 'evict'),
  );
}
