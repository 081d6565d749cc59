import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Machine } from '../../machine/machine.js';
import type { Options } from '../../options/schema.js';
import { isTrusted } from '../../scratch/safe-path/resolve.js';
import { isSystemError } from '../../system-error.js';

const DROP_CACHES = '/proc/sys/vm/drop_caches';
/** Pages, and the directory entries and inodes with them. */
const DROP_ALL = '3';
const PURGE = '/usr/sbin/purge';
/** Never looked for along PATH: gobonnie may run as root. */
const DD_PLACES = ['/usr/bin/dd', '/bin/dd'] as const;

/** A way to make reads come from the device. */
export interface Emptier {
  readonly deed: 'drop' | 'evict';
  /** Whether it is cheap and thorough enough to be done again and again while a phase runs. */
  readonly repeats: boolean;
  empty(files: readonly string[]): Promise<unknown>;
}

const dropOnLinux: Emptier = {
  deed: 'drop',
  repeats: true,
  empty: () => writeFile(DROP_CACHES, DROP_ALL),
};

const dropOnMac: Emptier = { deed: 'drop', repeats: true, empty: () => run(PURGE, []) };

/** GNU's dd alone has this flag; every other one refuses it, and then nothing was evicted. Needs no root. */
const evictByDd: Emptier = {
  deed: 'evict',
  repeats: false,
  async empty(files) {
    const dd = await trustedDd();
    for (const file of files)
      await run(dd, [`if=${file}`, 'iflag=nocache,nofollow', 'count=0', 'status=none']);
  },
};

/** One that somebody else may change is no better than the first along PATH. */
async function trustedDd(): Promise<string> {
  for (const place of DD_PLACES) if (await isTrusted(place).catch(() => false)) return place;
  throw new Error('there is no dd of GNU coreutils that only root may change');
}

/** The program's own words are left out: they may hold the path, and go over several lines. */
async function run(program: string, args: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)(program, args);
  } catch (cause) {
    if (isSystemError(cause)) throw cause;
    throw new Error(`${program} ended with code ${(cause as { code?: unknown }).code}`, { cause });
  }
}

/** The ways that this machine and its user have, the best one first. */
function waysOf({ platform, isRoot }: Pick<Machine, 'platform' | 'isRoot'>): readonly Emptier[] {
  switch (platform) {
    case 'linux':
      return isRoot ? [dropOnLinux, evictByDd] : [evictByDd];
    case 'darwin':
      return isRoot ? [dropOnMac] : [];
    default:
      return [];
  }
}

/** Those that --cache allows. */
export function emptiersFor(
  mode: Options['cache'],
  machine: Pick<Machine, 'platform' | 'isRoot'>,
): readonly Emptier[] {
  return waysOf(machine).filter(({ deed }) => mode === 'auto' || mode === deed);
}
