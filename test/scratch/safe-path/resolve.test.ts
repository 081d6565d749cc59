import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { isTrusted } from '../../../src/scratch/safe-path/resolve.js';
import { findScratch, makeDirectory, makePublicDirectory } from '../../support/disks/directory.js';
import { mountBindfs } from '../../support/disks/mounts.js';
import { ENTRY, runGobonnie, startProcess } from '../../support/programs/program.js';
import { startGobonnieForTest } from '../../support/programs/running-program.js';
import { SMALL_FLAGS } from '../../support/programs/small-run.js';
import { traceGobonnie } from '../../support/programs/trace.js';
import { requireTools } from '../../support/tools.js';

const OTHER_ID = 65_534;

beforeEach(requireTools('root'));

/** A directory inside one with this mode and owner. */
function below(mode: number, user = 0, group = 0): string {
  const above = realpathSync(makeDirectory());
  mkdirSync(path.join(above, 'below'));
  chownSync(above, user, group);
  chmodSync(above, mode);
  return path.join(above, 'below');
}

test.each([
  ['root’s alone', true, 0o755, 0, 0],
  ['everybody’s', false, 0o777, 0, 0],
  ['writable for everyone, and sticky', true, 0o1777, 0, 0],
  ['a group’s', false, 0o775, 0, OTHER_ID],
  ['writable for a group, and sticky', true, 0o1775, 0, OTHER_ID],
  ['writable for root’s group, because an access list may admit others', false, 0o775, 0, 0],
  ['owned by another user, who may rename its entries', false, 0o755, OTHER_ID, 0],
  ['owned by another user, sticky or not', false, 0o1777, OTHER_ID, 0],
] as const)('a directory in one that is %s is trusted: %s', async (_, expected, mode, user, group) => {
  expect(await isTrusted(below(mode, user, group))).toBe(expected);
});

describe('a FUSE filesystem', () => {
  beforeEach(requireTools('bindfs', '/dev/fuse', 'chroot'));

  test('does not count as root’s, whatever the program reports', async () => {
    const mounted = mountBindfs(makeDirectory(), ['--force-user=root', '--force-group=root', '-p', '0700']);
    expect(statSync(mounted)).toMatchObject({ uid: 0, gid: 0 });
    expect(await isTrusted(mounted)).toBe(false);
    expect(await isTrusted(path.dirname(mounted))).toBe(true);
  });

  test('counts as root’s when it is the whole system', async () => {
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
  ['root’s alone', true, 0o644, 0],
  ['everybody’s', false, 0o666, 0],
  ['writable for everyone, and sticky, which protects only directories', false, 0o1666, 0],
  ['a group’s', false, 0o664, 0],
  ['another user’s', false, 0o644, OTHER_ID],
] as const)('a file that is %s is trusted: %s', async (_, expected, mode, user) => {
  const file = path.join(realpathSync(makeDirectory()), 'file');
  writeFileSync(file, '');
  chownSync(file, user, 0);
  chmodSync(file, mode);
  expect(await isTrusted(file)).toBe(expected);
});

test('a directory is not trusted if others can change one far above it', async () => {
  const deep = path.join(below(0o777), 'a', 'b');
  mkdirSync(deep, { recursive: true });
  expect(await isTrusted(deep)).toBe(false);
});

describe('a path in a directory of another user', () => {
  beforeEach(requireTools('strace'));

  test('is opened in that directory, even if it was moved', async () => {
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

describe('with the /proc of another container', () => {
  beforeEach(requireTools('root', 'unshare'));

  /** Runs a command that has the same process ID as this test has here. */
  const SAME_NUMBER = 'echo "$(($0 - 1))" > /proc/sys/kernel/ns_last_pid && "$@"; exit $?';

  test('nothing is created in a directory that a process of the other container has open', async () => {
    const [dir, victim] = [makePublicDirectory(), makeDirectory()];
    for (let opened = 0; opened < 100; opened++) {
      const fd = openSync(victim, 'r');
      onTestFinished(() => closeSync(fd));
    }
    const before = statSync(victim, { bigint: true }).mtimeNs;
    const command = [process.execPath, ENTRY, '--dir', dir, '-q', ...SMALL_FLAGS];
    const inside = ['--pid', '--fork', 'sh', '-c', SAME_NUMBER, String(process.pid), ...command];
    const { stderr, exitCode } = await startProcess('unshare', inside).exitResult;
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(statSync(victim, { bigint: true }).mtimeNs).toBe(before);
    expect(readdirSync(dir)).toEqual([]);
  });
});

const TMPFS = 'mount -t tmpfs none /proc';
const FORGERY = `${TMPFS}; ln -s $$ /proc/self; mkdir -p /proc/$$; ln -s /dev/fd /proc/$$/fd`;

/** Runs a command with a /proc of its own. */
function having(script: string): readonly string[] {
  return ['unshare', '--mount', 'sh', '-c', `${script} && exec "$0" "$@"`];
}

function childOf(pid: number): number {
  return Number.parseInt(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'), 10);
}

/** Runs a command with the /proc of another container. */
async function besideContainer(): Promise<readonly string[]> {
  const { child, exitResult } = startProcess('unshare', [
    '--mount',
    '--pid',
    '--fork',
    '--mount-proc',
    'sleep',
    '1000',
  ]);
  const pid = await vi.waitUntil(() => childOf(child.pid ?? 0), { timeout: 100_000 });
  onTestFinished(async () => {
    process.kill(pid, 'SIGKILL');
    await exitResult;
  });
  await vi.waitUntil(() => readFileSync(`/proc/${pid}/comm`, 'utf8') === 'sleep\n', { timeout: 100_000 });
  return ['nsenter', `--mount=/proc/${pid}/ns/mnt`];
}

describe('as directories that others can change are reached through /proc,', () => {
  beforeEach(requireTools('unshare', 'nsenter'));

  describe.each([
    ['without /proc', async () => having(TMPFS)],
    ['with a filesystem that imitates /proc', async () => having(FORGERY)],
    ['when /proc shows another container', besideContainer],
  ])('%s', (_, prepare) => {
    test('one of them is refused with one line, and nothing is left in it', async () => {
      const dir = makePublicDirectory();
      const { stderr, exitCode } = await runGobonnie(['-q', '--dir', dir, ...SMALL_FLAGS], {
        as: await prepare(),
      });
      expect(stderr).toBe(
        `gobonnie: other users can change ${dir}, so using it safely needs a /proc that shows this process; ` +
          'mount /proc, or pass a directory that only you can change\n',
      );
      expect(exitCode).toBe(1);
      expect(readdirSync(dir)).toEqual([]);
    });

    test.each([
      ['of the user’s own', 0o755],
      ['that is sticky', 0o1777],
    ])('another directory, %s, is measured', async (_kind, mode) => {
      const dir = makeDirectory();
      chmodSync(dir, mode);
      const { stderr, exitCode } = await runGobonnie(['-q', '--dir', dir, ...SMALL_FLAGS], {
        as: await prepare(),
      });
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
      expect(readdirSync(dir)).toEqual([]);
    });
  });

  test('no link is followed in a container that sees the /proc of the machine', async () => {
    const [dir, victim] = [makePublicDirectory(), makeDirectory()];
    for (const name of ['owner', 'bonnie.0']) writeFileSync(path.join(victim, name), 'mine');
    const program = startGobonnieForTest(['-v', '--dir', dir, ...SMALL_FLAGS, '--runs', '1000'], {
      as: ['unshare', '--pid', '--fork'],
    });
    await program.untilStderr(/Duration/);
    const scratch = findScratch(dir) ?? '';
    renameSync(scratch, path.join(dir, 'moved'));
    symlinkSync(victim, scratch);
    process.kill(childOf(program.pid), 'SIGINT');
    expect((await program.exitResult).stderr).toContain('the temporary files are removed');
    expect(readdirSync(victim).toSorted()).toEqual(['bonnie.0', 'owner']);
    expect(readdirSync(dir)).toEqual([path.basename(scratch)]);
  });
});
