import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  currentOwner,
  currentProcessId,
  isAlive,
  parseStartTime,
  whyPossiblyAlive,
} from '../../src/scratch/owner.js';
import { findScratch, makeDirectory } from '../support/disks/directory.js';
import { testOnLinux } from '../support/linux.js';
import { changeMarker, createLeftover, findWatchers, startLongRun } from '../support/programs/leftover.js';
import { ENTRY, type ExitResult, runGobonnie, startProcess } from '../support/programs/program.js';
import { startGobonnieForTest } from '../support/programs/running-program.js';
import { SMALL_FLAGS } from '../support/programs/small-run.js';
import { requireTools } from '../support/tools.js';

const WITHOUT_PROC = ['unshare', '--mount', 'sh', '-c', 'mount -t tmpfs none /proc && exec "$0" "$@"'];
const MACHINE = '/etc/machine-id';
const BOOT = '/proc/sys/kernel/random/boot_id';
const OTHER_MACHINE = '00000000000000000000000000000001\n';
const OTHER_BOOT = '00000000-0000-4000-8000-000000000001\n';

/** Runs gobonnie clean as after a reboot, on a machine with the same name and this ID. */
function cleanAfterStart(dir: string, machine: string): Promise<ExitResult> {
  const facts = makeDirectory();
  writeFileSync(path.join(facts, 'machine'), machine);
  writeFileSync(path.join(facts, 'boot'), OTHER_BOOT);
  const script = `mount --bind "$0/machine" ${MACHINE} && mount --bind "$0/boot" ${BOOT} && exec "$@"`;
  const command = [process.execPath, ENTRY, 'clean', dir];
  return startProcess('unshare', ['--mount', 'sh', '-c', script, facts, ...command]).exitResult;
}

describe('on storage that two machines share', () => {
  beforeEach(requireTools('root', 'unshare', 'mount', MACHINE, '/proc/self/io'));

  test.each([
    ['has another ID', OTHER_MACHINE],
    ['has none', ''],
  ])('a run on one machine is left alone by another of the same name that %s', async (_, machine) => {
    const dir = makeDirectory();
    await startLongRun(dir);
    const scratch = findScratch(dir) ?? 'no scratch directory';
    const { stdout, stderr, exitCode } = await cleanAfterStart(dir, machine);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 0 });
    expect(stderr).toMatch(/^gobonnie: \S+ stays: it may be in use on another machine called/);
    expect(readdirSync(scratch)).toContain('bonnie.0');
  });

  test('leftovers of a machine are removed by that machine after a reboot', async () => {
    const dir = makeDirectory();
    const scratch = await createLeftover(dir);
    // Process ids are reused.
    changeMarker(scratch, ({ owner }) => ({ owner: { ...owner, pid: process.pid, startTime: '' } }));
    const { stdout, exitCode } = await cleanAfterStart(dir, readFileSync(MACHINE, 'utf8'));
    expect({ stdout, exitCode }).toEqual({ stdout: `removed ${scratch}\n`, exitCode: 0 });
    expect(readdirSync(dir)).toEqual([]);
  });
});

test("a marker contains only a hash of the machine's ID", () => {
  const { machine } = currentOwner();
  expect(machine).toMatch(/^[0-9a-f]{64}$|^$/);
});

test('an owner on an unknown machine may be alive after a reboot', () => {
  const owner = { ...currentOwner(), machine: '', boot: 'before' };
  expect(whyPossiblyAlive(owner)).toContain('on another machine called');
});

describe('a run in progress is left alone', () => {
  beforeEach(requireTools('root', 'unshare'));

  test.each([
    ['that sees no /proc, by one that does', { as: WITHOUT_PROC }, {}],
    ['that sees /proc, by one that does not', {}, { as: WITHOUT_PROC }],
  ])('%s', async (_, running, looking) => {
    const dir = makeDirectory();
    const program = await startLongRun(dir, [], running);
    const { stdout, stderr } = await runGobonnie(['clean', dir], looking);
    expect(stdout).toBe('');
    expect(stderr).toMatch(
      /gobonnie-\w+ stays: it may be in use; gobonnie cannot check that without \/proc\n$/,
    );
    expect(readdirSync(findScratch(dir) ?? '')).toContain('bonnie.0');
    program.kill('SIGINT');
    expect((await program.exitResult).exitCode).toBe(130);
  });
});

describe('a container', () => {
  beforeEach(requireTools('root', 'unshare', '/proc/self/io'));
  const CONTAINER = ['unshare', '--uts', '--pid', '--fork', '--mount-proc', '--kill-child'];
  const named = (name: string) => [...CONTAINER, 'sh', '-c', 'hostname "$0"; exec "$@"', name];

  async function measuring(dir: string) {
    const args = ['-v', '--dir', dir, ...SMALL_FLAGS, '--iops-duration', '600'];
    const program = startGobonnieForTest(args, { as: named('first') });
    await program.untilStderr(/^.*Sequential Read:/m);
    return program;
  }

  test('that runs is left alone, by the machine and by other containers', async () => {
    const dir = makeDirectory();
    await measuring(dir);
    const reasons = [
      [{}, /gobonnie-\w+ stays: a process in a container may be using it\n/],
      [
        { as: named('second') },
        /gobonnie-\w+ stays: it may be in use in another container; run gobonnie clean there/,
      ],
    ] as const;
    for (const [options, reason] of reasons) {
      const { stdout, stderr } = await runGobonnie(['clean', dir], options);
      expect(stdout).toBe('');
      expect(stderr).toMatch(reason);
    }
  });

  test('that was killed as a whole is cleaned up after on its machine, whatever it was called', async () => {
    const dir = makeDirectory();
    const program = await measuring(dir);
    // The end of its first process ends all others, but the watcher might be faster.
    const [first = 0] = findWatchers(program.pid);
    for (const pid of [...findWatchers(first), first]) process.kill(pid, 'SIGKILL');
    await program.exitResult;
    const scratch = findScratch(dir);
    expect(scratch).toBeDefined();
    // The kernel ends the other processes a moment later.
    const cleaned = () => runGobonnie(['clean', dir]);
    const stdout = await vi.waitUntil(async () => (await cleaned()).stdout, { timeout: 60_000 });
    expect(stdout).toBe(`removed ${scratch}\n`);
  });
});

test('a leftover of this machine is removed although the machine was called otherwise', async () => {
  const dir = makeDirectory();
  const scratch = await createLeftover(dir);
  changeMarker(scratch, ({ owner }) => ({ owner: { ...owner, host: 'before' } }));
  expect((await runGobonnie(['clean', dir])).stdout).toBe(`removed ${scratch}\n`);
});

/** The fields of /proc/PID/stat after the state, up to the start time and a few more. */
const FIELDS =
  '12823 12791 5044 0 -1 4227084 108 0 1 0 1 2 3 4 20 0 11 0 777 1081344 246 18446744073709551615';

test.each([
  ['a plain name', `12830 (sleep) S ${FIELDS}`],
  ['a name like the rest of the line', `12830 (a) Z 1 (b) R 2 3) S ${FIELDS}`],
  ['a name with a line break', `12830 (a\nb) R ${FIELDS}\n`],
])('the start time is read after %s', (_, line) => {
  expect(parseStartTime(line)).toBe('777');
});

test.each([
  ['a zombie', `12830 (sleep) Z ${FIELDS}`],
  ['a dead process', `12830 (sleep) X ${FIELDS}`],
  ['nothing', ''],
  ['half a line', '12830 (sleep) S 1 2'],
])('%s has no start time', (_, line) => {
  expect(parseStartTime(line)).toBeNull();
});

test('this process is alive', () => {
  expect(isAlive(currentProcessId())).toBe(true);
});

test('the start time of this process is known if the system reports it', () => {
  expect(currentProcessId().startTime !== '').toBe(existsSync('/proc/self/stat'));
});

test('a process with the same id but another start time is not alive', () => {
  expect(isAlive({ ...currentProcessId(), startTime: '1' })).toBe(false);
});

test.each(['known', 'unknown'])(
  'a child is alive until it is killed, with a start time that is %s',
  async (state) => {
    const child = spawn('sleep', ['1000']);
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    const pid = child.pid ?? 0;
    const startTime = state === 'known' ? startTimeOf(pid) : '';
    expect(isAlive({ pid, startTime })).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isAlive({ pid, startTime })).toBe(false);
  },
);

testOnLinux('a zombie is not alive', async () => {
  // sleep replaces the shell and never waits for the child, which becomes a zombie when it ends.
  const parent = spawn('sh', ['-c', '(read _ <&3) & echo $!; exec sleep 1000'], {
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  onTestFinished(() => {
    parent.kill('SIGKILL');
  });
  const [line] = await once(parent.stdout as Readable, 'data');
  const pid = Number(line);
  const isReplaced = () => readFileSync(`/proc/${parent.pid}/comm`, 'utf8') === 'sleep\n';
  await vi.waitUntil(isReplaced, { timeout: 100_000 });
  (parent.stdio[3] as Writable).end('\n');
  const startTime = /\) \S(?: \S+){18} (\d+)/.exec(await statOfZombie(pid))?.[1] ?? '';
  expect(startTime).not.toBe('');
  expect(isAlive({ pid, startTime })).toBe(false);
});

describe('in a container', () => {
  beforeEach(requireTools('root', 'unshare'));

  /** A shell command that sees the container's own /proc. */
  const OWN = 'unshare --mount sh -c \'mount -t proc none /proc && exec "$@"\' sh';

  test.each([
    ['the machine’s /proc', '', OWN],
    ['its own /proc', OWN, ''],
  ])('a run that sees %s is known to be alive by one that sees the other', async (_, run, look) => {
    const script = `
      ${run} "$0" "$1" -q --dir "$2" --size 0.01 --threads 1 --iops-duration 600 &
      until test -e "$2"/gobonnie-*/bonnie.0; do sleep 0.05; done
      ${look} "$0" "$1" clean "$2"
      kill -INT $!
      wait`;
    const args = ['--pid', '--fork', '--kill-child', 'sh', '-c', script];
    const program = startProcess('unshare', [...args, process.execPath, ENTRY, makeDirectory()]);
    onTestFinished(() => {
      program.child.kill('SIGKILL');
    });
    const { stdout, stderr } = await program.exitResult;
    expect(stderr).toMatch(/gobonnie-\w+ stays: process \d+ is using it\n/);
    expect(stdout).not.toContain('removed');
  });
});

function startTimeOf(pid: number): string {
  return existsSync('/proc/self/stat')
    ? (parseStartTime(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? '')
    : '';
}

async function statOfZombie(pid: number): Promise<string> {
  const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
  if (line.includes(') Z ')) return line;
  await setTimeout(10);
  return statOfZombie(pid);
}
