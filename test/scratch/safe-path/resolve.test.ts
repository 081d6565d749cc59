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
import { makeDirectory, makeOpenDirectory } from '../../support/directory.js';
import { mountBindfs } from '../../support/mount.js';
import { ENTRY, gobonnie, start } from '../../support/program.js';
import { SMALL } from '../../support/small-run.js';
import { needs } from '../../support/tool.js';
import { traceGobonnie } from '../../support/trace.js';

const OTHER_ID = 65_534;

beforeEach(needs('root'));

/** A directory in one that has this mode and belongs to this user. */
function below(mode: number, user = 0, group = 0): string {
  const above = realpathSync(makeDirectory());
  mkdirSync(path.join(above, 'below'));
  chownSync(above, user, group);
  chmodSync(above, mode);
  return path.join(above, 'below');
}

test.each([
  ['root’s alone', 0o755, 0, 0, true],
  ['everybody’s', 0o777, 0, 0, false],
  ['everybody’s, and sticky', 0o1777, 0, 0, true],
  ['a group’s', 0o775, 0, OTHER_ID, false],
  ['a group’s, and sticky', 0o1775, 0, OTHER_ID, true],
  ['of root’s group, where an access list may let in others', 0o775, 0, 0, false],
  ['another user’s, who may rename what is in it', 0o755, OTHER_ID, 0, false],
  ['another user’s, sticky or not', 0o1777, OTHER_ID, 0, false],
] as const)('a directory in one that is %s', async (_, mode, user, group, expected) => {
  expect(await isTrusted(below(mode, user, group))).toBe(expected);
});

describe('what a program serves', () => {
  beforeEach(needs('bindfs', '/dev/fuse', 'chroot'));

  test('is not root’s, whatever the program says', async () => {
    const mounted = mountBindfs(makeDirectory(), ['--force-user=root', '--force-group=root', '-p', '0700']);
    expect(statSync(mounted)).toMatchObject({ uid: 0, gid: 0 });
    expect(await isTrusted(mounted)).toBe(false);
    expect(await isTrusted(path.dirname(mounted))).toBe(true);
  });

  test('is root’s where it is all that there is', async () => {
    const root = mountBindfs('/', ['--multithreaded']);
    execFileSync('mount', ['-t', 'proc', 'none', path.join(root, 'proc')]);
    onTestFinished(() => {
      execFileSync('umount', ['--lazy', path.join(root, 'proc')]);
    });
    const dir = makeDirectory();
    const args = ['--dir', dir, ...SMALL, '--files', '10', '--phases', 'create,delete'];
    const { stderr, exitCode } = await gobonnie(args, { as: ['chroot', root] });
    expect(stderr).not.toContain('others may');
    expect(exitCode).toBe(0);
  });
});

test.each([
  ['root’s alone', 0o644, 0, true],
  ['everybody’s', 0o666, 0, false],
  ['everybody’s, and the sticky bit says nothing of a file', 0o1666, 0, false],
  ['a group’s', 0o664, 0, false],
  ['another user’s', 0o644, OTHER_ID, false],
] as const)('a file that is %s', async (_, mode, user, expected) => {
  const file = path.join(realpathSync(makeDirectory()), 'file');
  writeFileSync(file, '');
  chownSync(file, user, 0);
  chmodSync(file, mode);
  expect(await isTrusted(file)).toBe(expected);
});

test('what is wrong far above is seen', async () => {
  const deep = path.join(below(0o777), 'a', 'b');
  mkdirSync(deep, { recursive: true });
  expect(await isTrusted(deep)).toBe(false);
});

describe('what is in a directory of another user', () => {
  beforeEach(needs('strace'));

  test('is opened in that directory, wherever it may be by then', async () => {
    const theirs = below(0o755, OTHER_ID);
    const deep = path.join(theirs, 'a', 'b');
    mkdirSync(deep, { recursive: true });
    const { calls, exitCode } = await traceGobonnie(['-e', 'trace=openat'], ['clean', deep]);
    expect(exitCode).toBe(0);
    const opened = calls.flatMap((call) => /"([^"]+)"/.exec(call)?.[1] ?? []);
    expect(opened.filter((place) => place.startsWith(theirs))).toEqual([]);
    expect(opened.filter((place) => /^\/proc\/\d+\/fd\/\d+\/b$/.test(place))).not.toEqual([]);
  });
});

describe('where /proc is that of another container', () => {
  beforeEach(needs('root', 'unshare'));

  /** The program has a number that here is another process's: this one's. */
  const SAME_NUMBER = 'echo "$(($0 - 1))" > /proc/sys/kernel/ns_last_pid && "$@"; exit $?';

  test('nothing is made in what a process there has open', async () => {
    const [dir, victim] = [makeOpenDirectory(), makeDirectory()];
    for (let opened = 0; opened < 100; opened++) {
      const fd = openSync(victim, 'r');
      onTestFinished(() => closeSync(fd));
    }
    const before = statSync(victim, { bigint: true }).mtimeNs;
    const command = [process.execPath, ENTRY, '--dir', dir, '-q', ...SMALL];
    const inside = ['--pid', '--fork', 'sh', '-c', SAME_NUMBER, String(process.pid), ...command];
    const { stderr, exitCode } = await start('unshare', inside).ended;
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(statSync(victim, { bigint: true }).mtimeNs).toBe(before);
    expect(readdirSync(dir)).toEqual([]);
  });
});
