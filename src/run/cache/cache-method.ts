import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Machine } from '../../machine/machine.js';
import type { Options } from '../../options/schema.js';
import { isTrusted } from '../../scratch/safe-path/resolve.js';
import { isSystemError } from '../../system-error.js';

const DROP_CACHES = '/proc/sys/vm/drop_caches';
/** Pages, directory entries and inodes. */
const DROP_ALL = '3';
const PURGE = '/usr/sbin/purge';
/** Not searched for in PATH, as gobonnie may run as root. */
const DD_PLACES = ['/usr/bin/dd', '/bin/dd'] as const;

/** A way to empty the page cache, so that reads come from the device. */
export interface CacheMethod {
  /** The value of --cache. */
  readonly name: 'drop' | 'evict';
  /** Whether it can be repeated while a phase runs. */
  readonly repeats: boolean;
  empty(files: readonly string[]): Promise<unknown>;
}

const dropOnLinux: CacheMethod = {
  name: 'drop',
  repeats: true,
  empty: () => writeFile(DROP_CACHES, DROP_ALL),
};

const dropOnMac: CacheMethod = { name: 'drop', repeats: true, empty: () => run(PURGE, []) };

/** Only GNU dd has iflag=nocache; any other dd fails. Needs no root. */
const evictByDd: CacheMethod = {
  name: 'evict',
  repeats: false,
  async empty(files) {
    const dd = await trustedDd();
    for (const file of files)
      await run(dd, [`if=${file}`, 'iflag=nocache,nofollow', 'count=0', 'status=none']);
  },
};

/** A dd that other users could replace is not run. */
async function trustedDd(): Promise<string> {
  for (const place of DD_PLACES) if (await isTrusted(place).catch(() => false)) return place;
  throw new Error('there is no GNU dd that only root can change');
}

/** Without the program's stderr, which may have several lines and the path. */
async function run(program: string, args: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)(program, args);
  } catch (cause) {
    if (isSystemError(cause)) throw cause;
    throw new Error(`${program} ended with code ${(cause as { code?: unknown }).code}`, { cause });
  }
}

/** Those that work on this system as this user, the best first. */
function availableMethods({
  platform,
  isRoot,
}: Pick<Machine, 'platform' | 'isRoot'>): readonly CacheMethod[] {
  switch (platform) {
    case 'linux':
      return isRoot ? [dropOnLinux, evictByDd] : [evictByDd];
    case 'darwin':
      return isRoot ? [dropOnMac] : [];
    default:
      return [];
  }
}

/** Those of them that --cache allows. */
export function cacheMethodsFor(
  mode: Options['cache'],
  machine: Pick<Machine, 'platform' | 'isRoot'>,
): readonly CacheMethod[] {
  return availableMethods(machine).filter(({ name }) => mode === 'auto' || mode === name);
}
