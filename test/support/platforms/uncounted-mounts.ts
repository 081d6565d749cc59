import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { makeDirectory, makePublicDirectory } from '../disks/directory.js';
import { mountExt4 } from '../disks/loop.js';
import { mountBindfs, mountTmpfs } from '../disks/mounts.js';
import { NOBODY } from '../tools.js';

/** A directory for which a program cannot read all of the kernel's I/O counters. */
export interface UncountedMount {
  readonly dir: string;
  /** A prefix that runs a program there. */
  readonly as: readonly string[];
  /** Directory for other output. Without /proc, gobonnie requires that no other user can change it. */
  readonly outDir: string;
}

const DISK_BYTES = 64 * 1024 ** 2;
/** Argument of `requireTools`. */
export const UNCOUNTED_TOOLS = ['root', 'unshare', 'mount', 'strace', 'setpriv', 'mkfs.ext4', 'bindfs'];

/** Returns a prefix that runs a program after a shell command, in a new mount namespace. */
function runAfter(command: string): readonly string[] {
  return ['unshare', '--mount', 'sh', '-c', `${command} && exec "$@"`, 'sh'];
}

/** Mounts a disk that only its owner can change, which gobonnie requires without /proc. */
function mountOwnDisk(as: readonly string[]): UncountedMount {
  const dir = mountExt4(DISK_BYTES);
  chmodSync(dir, 0o755);
  return { dir, as, outDir: makeDirectory() };
}

/** Mounts a FUSE filesystem, for which the kernel does not count a program's reads. */
function mountOnFuse(): UncountedMount {
  const { dir, ...rest } = mountOwnDisk([]);
  return { ...rest, dir: mountBindfs(dir, []) };
}

/** Mounts an overlay as in a container, which hides the filesystem below. */
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
  'with a /proc that has only processes': () =>
    mountOwnDisk(runAfter('mount -t proc -o subset=pid proc /proc')),
  "as nobody, with a /proc without others' processes": () => ({
    dir: mountExt4(DISK_BYTES),
    as: [...runAfter('mount -t proc -o hidepid=2 proc /proc'), ...(NOBODY.as ?? [])],
    outDir: makePublicDirectory(),
  }),
  'on an overlay whose disk is hidden': () => mountOverlay(mountExt4(DISK_BYTES)),
  'on an overlay whose tmpfs is hidden': () => mountOverlay(mountTmpfs('size=64m')),
  'on a volatile overlay whose disk is hidden': () => mountOverlay(mountExt4(DISK_BYTES), ',volatile'),
} satisfies Readonly<Record<string, () => UncountedMount>>;

const SYNC_MICROSECONDS = 250_000;
const SLOW_SYNC = [
  ...['strace', '-f', '-qq', '--seccomp-bpf', '-o', '/dev/null', '-e', 'trace=fsync'],
  ...['-e', `inject=fsync:delay_enter=${SYNC_MICROSECONDS}`],
];

/** Slows every sync down, to make a write faster than its sync on any disk. */
export function withSlowSync(mount: UncountedMount): UncountedMount {
  return { ...mount, as: [...SLOW_SYNC, ...mount.as] };
}
