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
import { makeDirectory, makeOpenDirectory, scratchIn } from '../../support/directory.js';
import { mountBindfs } from '../../support/mount.js';
import { ENTRY, gobonnie, start } from '../../support/program.js';
import { runningGobonnie } from '../../support/running.js';
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

const TMPFS = 'mount -t tmpfs none /proc';
const FORGERY = `${TMPFS}; ln -s $$ /proc/self; mkdir -p /proc/$$; ln -s /dev/fd /proc/$$/fd`;

/** Runs a command with another /proc, of which nobody else sees anything. */
function having(script: string): readonly string[] {
  return ['unshare', '--mount', 'sh', '-c', `${script} && exec "$0" "$@"`];
}

function childOf(pid: number): number {
  return Number.parseInt(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'), 10);
}

/** Runs a command with the /proc of a container in which it is not. */
async function besideContainer(): Promise<readonly string[]> {
  const { child, ended } = start('unshare', ['--mount', '--pid', '--fork', '--mount-proc', 'sleep', '1000']);
  const pid = await vi.waitUntil(() => childOf(child.pid ?? 0), { timeout: 100_000 });
  onTestFinished(async () => {
    process.kill(pid, 'SIGKILL');
    await ended;
  });
  await vi.waitUntil(() => readFileSync(`/proc/${pid}/comm`, 'utf8') === 'sleep\n', { timeout: 100_000 });
  return ['nsenter', `--mount=/proc/${pid}/ns/mnt`];
}

describe('a directory that others can change is reached through /proc', () => {
  beforeEach(needs('unshare', 'nsenter'));

  describe.each([
    ['without /proc', async () => having(TMPFS)],
    ['where another filesystem looks like /proc', async () => having(FORGERY)],
    ['where /proc shows another container', besideContainer],
  ])('%s', (_, prepare) => {
    test('a directory that others may change is refused in a line, and nothing left in it', async () => {
      const dir = makeOpenDirectory();
      const { stderr, exitCode } = await gobonnie(['-q', '--dir', dir, ...SMALL], { as: await prepare() });
      expect(stderr).toBe(
        `gobonnie: other users can change ${dir}, which is safe to use only with a /proc that shows this process; ` +
          'mount /proc, or pass a directory that only you can change\n',
      );
      expect(exitCode).toBe(1);
      expect(readdirSync(dir)).toEqual([]);
    });

    test.each([
      ['of one’s own', 0o755],
      ['that is sticky', 0o1777],
    ])('a directory %s is measured', async (_kind, mode) => {
      const dir = makeDirectory();
      chmodSync(dir, mode);
      const { stderr, exitCode } = await gobonnie(['-q', '--dir', dir, ...SMALL], { as: await prepare() });
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
      expect(readdirSync(dir)).toEqual([]);
    });
  });

  test('in a container that sees the /proc of the machine no link is followed', async () => {
    const [dir, victim] = [makeOpenDirectory(), makeDirectory()];
    for (const name of ['owner', 'bonnie.0']) writeFileSync(path.join(victim, name), 'mine');
    const program = runningGobonnie(['-v', '--dir', dir, ...SMALL, '--runs', '1000'], {
      as: ['unshare', '--pid', '--fork'],
    });
    await program.said(/Duration/);
    const scratch = scratchIn(dir) ?? '';
    renameSync(scratch, path.join(dir, 'moved'));
    symlinkSync(victim, scratch);
    process.kill(childOf(program.pid), 'SIGINT');
    expect((await program.ended).stderr).toContain('the temporary files are removed');
    expect(readdirSync(victim).toSorted()).toEqual(['bonnie.0', 'owner']);
    expect(readdirSync(dir)).toEqual([path.basename(scratch)]);
  });
});
