import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { makeDirectory, makePublicDirectory } from '../disks/directory.js';
import { mountExt4 } from '../disks/loop.js';
import { mountBindfs, mountTmpfs } from '../disks/mounts.js';
import { NOBODY } from '../tools.js';

/** Where a program cannot see all that the kernel counts of a disk. */
export interface UncountedMount {
  readonly dir: string;
  /** A prefix that runs a program there. */
  readonly as: readonly string[];
  /** For what the program writes besides. Without /proc others must not be able to change it. */
  readonly outDir: string;
}

const DISK_BYTES = 64 * 1024 ** 2;
/** For `needs`. */
export const UNCOUNTED_TOOLS = ['root', 'unshare', 'mount', 'strace', 'setpriv', 'mkfs.ext4', 'bindfs'];

/** After a command of the shell, in a mount namespace of its own. */
function runAfter(command: string): readonly string[] {
  return ['unshare', '--mount', 'sh', '-c', `${command} && exec "$@"`, 'sh'];
}

/** A disk that only its owner can change, as gobonnie demands without /proc. */
function mountOwnDisk(as: readonly string[]): UncountedMount {
  const dir = mountExt4(DISK_BYTES);
  chmodSync(dir, 0o755);
  return { dir, as, outDir: makeDirectory() };
}

/** What is read there the kernel does not count for the program that reads it. */
function mountOnFuse(): UncountedMount {
  const { dir, ...rest } = mountOwnDisk([]);
  return { ...rest, dir: mountBindfs(dir, []) };
}

/** An overlay as in a container: nothing shows what is under it. */
function mountOverlay(under: string, option = ''): UncountedMount {
  const [lower, upper, work] = ['lower', 'upper', 'work'].map((name) => path.join(under, name));
  for (const name of [lower, upper, work]) mkdirSync(name ?? '');
  const options = `lowerdir=${lower},upperdir=${upper},workdir=${work}${option}`;
  const dir = makePublicDirectory();
  const command = `mount -t overlay -o ${options} overlay ${dir} && mount -t tmpfs none ${under}`;
  return { dir, as: runAfter(command), outDir: makeDirectory() };
}

export const uncountedMounts = {
  'with /proc covered': () => mountOwnDisk(runAfter('mount -t tmpfs none /proc')),
  'with /sys covered': () => mountOwnDisk(runAfter('mount -t tmpfs none /sys')),
  'on FUSE': mountOnFuse,
  'with a /proc of processes only': () => mountOwnDisk(runAfter('mount -t proc -o subset=pid proc /proc')),
  "as nobody, with a /proc without others' processes": () => ({
    dir: mountExt4(DISK_BYTES),
    as: [...runAfter('mount -t proc -o hidepid=2 proc /proc'), ...(NOBODY.as ?? [])],
    outDir: makePublicDirectory(),
  }),
  'on an overlay whose disk is hidden': () => mountOverlay(mountExt4(DISK_BYTES)),
  'on an overlay whose tmpfs is hidden': () => mountOverlay(mountTmpfs('size=64m')),
  'on a volatile overlay whose disk is hidden': () => mountOverlay(mountExt4(DISK_BYTES), ',volatile'),
} satisfies Readonly<Record<string, () => UncountedMount>>;

/** Each sync takes this long, */
const SYNC_MICROSECONDS = 250_000;
const SLOW_SYNC = [
  ...['strace', '-f', '-qq', '--seccomp-bpf', '-o', '/dev/null', '-e', 'trace=fsync'],
  ...['-e', `inject=fsync:delay_enter=${SYNC_MICROSECONDS}`],
];

/** so that a write is surely faster than its sync, whatever the disk. */
export function withSlowSync(mount: UncountedMount): UncountedMount {
  return { ...mount, as: [...SLOW_SYNC, ...mount.as] };
}
