import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { isTrusted } from '../../../src/scratch/safe-path/resolve.js';
import { makeDirectory, makePublicDirectory } from '../../support/disks/directory.js';
import { mountBindfs } from '../../support/disks/mounts.js';
import { ENTRY, runGobonnie, startProcess } from '../../support/programs/program.js';
import { SMALL_FLAGS } from '../../support/programs/small-run.js';
import { traceGobonnie } from '../../support/programs/trace.js';
import { requireTools } from '../../support/tools.js';

const OTHER_ID = 65_534;

beforeEach(requireTools('root'));

/** Makes a directory inside a directory with this mode and owner. */
function makeBelow(mode: number, user = 0, group = 0): string {
  const above = realpathSync(makeDirectory());
  mkdirSync(path.join(above, 'below'));
  chownSync(above, user, group);
  chmodSync(above, mode);
  return path.join(above, 'below');
}

test.each([
  ['writable only by root', true, 0o755, 0, 0],
  ['writable by everyone', false, 0o777, 0, 0],
  ['writable by everyone but sticky', true, 0o1777, 0, 0],
  ['writable by a group', false, 0o775, 0, OTHER_ID],
  ['writable by a group but sticky', true, 0o1775, 0, OTHER_ID],
  ['writable by root’s group, because an access list may admit others', false, 0o775, 0, 0],
  ['owned by another user, who may rename its entries', false, 0o755, OTHER_ID, 0],
  ['owned by another user, even if sticky', false, 0o1777, OTHER_ID, 0],
] as const)(
  'for a directory in a parent that is %s, isTrusted() returns %s',
  async (_, expected, mode, user, group) => {
    expect(await isTrusted(makeBelow(mode, user, group))).toBe(expected);
  },
);

describe('a FUSE filesystem', () => {
  beforeEach(requireTools('bindfs', '/dev/fuse', 'chroot'));

  test('a FUSE filesystem is not trusted, whatever owner it reports', async () => {
    const mounted = mountBindfs(makeDirectory(), ['--force-user=root', '--force-group=root', '-p', '0700']);
    expect(statSync(mounted)).toMatchObject({ uid: 0, gid: 0 });
    expect(await isTrusted(mounted)).toBe(false);
    expect(await isTrusted(path.dirname(mounted))).toBe(true);
  });

  test('a FUSE filesystem is trusted if it is the root filesystem', async () => {
    const root = mountBindfs('/', ['--multithreaded']);
    execFileSync('mount', ['-t', 'proc', 'none', path.join(root, 'proc')]);
    onTestFinished(() => {
      execFileSync('umount', ['--lazy', path.join(root, 'proc')]);
    });
    const dir = makeDirectory();
    const args = ['--dir', dir, ...SMALL_FLAGS, '--files', '10', '--phases', 'create,delete'];
    const { stderr, exitCode } = await runGobonnie(args, { as: ['chroot', root] });
    expect({ stderr, exitCode }).toEqual({
      stderr: expect.not.stringContaining('other users can rename'),
      exitCode: 0,
    });
  });
});

test.each([
  ['writable only by root', true, 0o644, 0],
  ['writable by everyone', false, 0o666, 0],
  ['writable by everyone and sticky, which protects only directories', false, 0o1666, 0],
  ['writable by a group', false, 0o664, 0],
  ['owned by another user', false, 0o644, OTHER_ID],
] as const)('for a file that is %s, isTrusted() returns %s', async (_, expected, mode, user) => {
  const file = path.join(realpathSync(makeDirectory()), 'file');
  writeFileSync(file, '');
  chownSync(file, user, 0);
  chmodSync(file, mode);
  expect(await isTrusted(file)).toBe(expected);
});

test('a directory is not trusted if others can change one of its ancestors', async () => {
  const deep = path.join(makeBelow(0o777), 'a', 'b');
  mkdirSync(deep, { recursive: true });
  expect(await isTrusted(deep)).toBe(false);
});

test('gobonnie opens a path in a directory of another user stepwise through /proc, never by its full path', async (context) => {
  requireTools('strace')(context);
  const theirs = makeBelow(0o755, OTHER_ID);
  const deep = path.join(theirs, 'a', 'b');
  mkdirSync(deep, { recursive: true });
  const { calls, exitCode } = await traceGobonnie(['-e', 'trace=openat'], ['clean', deep]);
  expect(exitCode).toBe(0);
  const opened = calls.flatMap((call) => /"([^"]+)"/.exec(call)?.[1] ?? []);
  expect(opened.filter((file) => file.startsWith(theirs))).toEqual([]);
  expect(opened.filter((file) => /^\/proc\/\d+\/fd\/\d+\/b$/.test(file))).not.toEqual([]);
});

describe('with the /proc of another container', () => {
  beforeEach(requireTools('root', 'unshare'));

  /** Runs a command in the container with the process ID that this test has here. */
  const SAME_PID = 'echo "$(($0 - 1))" > /proc/sys/kernel/ns_last_pid && "$@"; exit $?';

  test('gobonnie creates nothing in a directory that a process of the other container has open', async () => {
    const dir = makePublicDirectory();
    const victim = makeDirectory();
    for (let opened = 0; opened < 100; opened++) {
      const fd = openSync(victim, 'r');
      onTestFinished(() => closeSync(fd));
    }
    const before = statSync(victim, { bigint: true }).mtimeNs;
    const command = [process.execPath, ENTRY, '--dir', dir, '-q', ...SMALL_FLAGS];
    const inside = ['--pid', '--fork', 'sh', '-c', SAME_PID, String(process.pid), ...command];
    const { stderr, exitCode } = await startProcess('unshare', inside).exitResult;
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(statSync(victim, { bigint: true }).mtimeNs).toBe(before);
    expect(readdirSync(dir)).toEqual([]);
  });
});

const TMPFS = 'mount -t tmpfs none /proc';
const FORGERY = `${TMPFS}; ln -s $$ /proc/self; mkdir -p /proc/$$; ln -s /dev/fd /proc/$$/fd`;

/** Returns a command prefix that first changes /proc in a new mount namespace. */
function afterMounting(script: string): readonly string[] {
  return ['unshare', '--mount', 'sh', '-c', `${script} && exec "$0" "$@"`];
}

describe('directories that others can change need /proc', () => {
  beforeEach(requireTools('unshare'));

  describe.each([
    ['without /proc', TMPFS],
    ['with a filesystem that imitates /proc', FORGERY],
  ])('%s', (_, script) => {
    test('a directory that others can change is rejected with one line and remains empty', async () => {
      const dir = makePublicDirectory();
      const { stderr, exitCode } = await runGobonnie(['-q', '--dir', dir, ...SMALL_FLAGS], {
        as: afterMounting(script),
      });
      expect(stderr).toBe(
        `gobonnie: other users can change ${dir}, so using it safely needs a /proc that shows this process; ` +
          'mount /proc, or pass a directory that only you can change\n',
      );
      expect(exitCode).toBe(1);
      expect(readdirSync(dir)).toEqual([]);
    });

    test('a run works in a directory that is sticky', async () => {
      const dir = makeDirectory();
      chmodSync(dir, 0o1777);
      const { stderr, exitCode } = await runGobonnie(['-q', '--dir', dir, ...SMALL_FLAGS], {
        as: afterMounting(script),
      });
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
      expect(readdirSync(dir)).toEqual([]);
    });
  });
});
