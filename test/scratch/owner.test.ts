import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { currentOwner, isAlive, parseStartTime, whyPossiblyAlive } from '../../src/scratch/owner.js';
import { findScratch, makeDirectory } from '../support/disks/directory.js';
import { testOnLinux } from '../support/linux.js';
import { changeOwner, createLeftover, findWatchers, startLongRun } from '../support/programs/leftover.js';
import { ENTRY, type ExitResult, runGobonnie, startProcess } from '../support/programs/program.js';
import { startGobonnieForTest } from '../support/programs/running-program.js';
import { SMALL_FLAGS } from '../support/programs/small-run.js';
import { requireTools } from '../support/tools.js';

const WITHOUT_PROC = ['unshare', '--mount', 'sh', '-c', 'mount -t tmpfs none /proc && exec "$0" "$@"'];
const MACHINE = '/etc/machine-id';
const BOOT = '/proc/sys/kernel/random/boot_id';
const OTHER_MACHINE = '00000000000000000000000000000001\n';
const OTHER_BOOT = '00000000-0000-4000-8000-000000000001\n';

/** Runs gobonnie clean as if after a reboot, on a machine with the same name and this ID. */
function cleanAfterReboot(dir: string, machine: string): Promise<ExitResult> {
  const facts = makeDirectory();
  writeFileSync(path.join(facts, 'machine'), machine);
  writeFileSync(path.join(facts, 'boot'), OTHER_BOOT);
  const script = `mount --bind "$0/machine" ${MACHINE} && mount --bind "$0/boot" ${BOOT} && exec "$@"`;
  const command = [process.execPath, ENTRY, 'clean', dir];
  return startProcess('unshare', ['--mount', 'sh', '-c', script, facts, ...command]).exitResult;
}

describe('on storage that two machines share', () => {
  beforeEach(requireTools('root', 'unshare', 'mount', MACHINE, '/proc/self/io'));

  test('gobonnie clean on another machine of the same name keeps a run’s directory', async () => {
    const dir = makeDirectory();
    await startLongRun(dir);
    const scratch = findScratch(dir) ?? 'no scratch directory';
    const { stdout, stderr, exitCode } = await cleanAfterReboot(dir, OTHER_MACHINE);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 0 });
    expect(stderr).toMatch(/^gobonnie: keeping \S+: it may be in use on another machine called/);
    expect(readdirSync(scratch)).toContain('bonnie.0');
  });

  test('gobonnie clean removes leftovers on the same machine after a reboot', async () => {
    const dir = makeDirectory();
    const scratch = await createLeftover(dir);
    // Use this process's ID, because process IDs are reused.
    changeOwner(scratch, { pid: process.pid, startTime: '' });
    const { stdout, exitCode } = await cleanAfterReboot(dir, readFileSync(MACHINE, 'utf8'));
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

test.for([
  ['if only clean sees /proc', { as: WITHOUT_PROC }, {}],
  ['if only the run sees /proc', {}, { as: WITHOUT_PROC }],
] as const)(
  'gobonnie clean keeps the directory of a running gobonnie %s',
  async ([_, runOptions, cleanOptions], context) => {
    requireTools('root', 'unshare')(context);
    const dir = makeDirectory();
    const program = await startLongRun(dir, [], runOptions);
    const { stdout, stderr } = await runGobonnie(['clean', dir], cleanOptions);
    expect(stdout).toBe('');
    expect(stderr).toMatch(
      /keeping \S+gobonnie-\w+: it may be in use; gobonnie cannot check that without \/proc\n$/,
    );
    expect(readdirSync(findScratch(dir) ?? '')).toContain('bonnie.0');
    program.kill('SIGINT');
    expect((await program.exitResult).exitCode).toBe(130);
  },
);

describe('a container', () => {
  beforeEach(requireTools('root', 'unshare', '/proc/self/io'));
  const CONTAINER = ['unshare', '--uts', '--pid', '--fork', '--mount-proc', '--kill-child'];
  const named = (name: string) => [...CONTAINER, 'sh', '-c', 'hostname "$0"; exec "$@"', name];

  async function startInContainer(dir: string) {
    const args = ['-v', '--dir', dir, ...SMALL_FLAGS, '--iops-duration', '600'];
    const program = startGobonnieForTest(args, { as: named('first') });
    await program.untilStderr(/^.*Sequential Read:/m);
    return program;
  }

  test('gobonnie clean on the machine or in another container keeps the directory of a run in a container', async () => {
    const dir = makeDirectory();
    await startInContainer(dir);
    const onMachine = /keeping \S+gobonnie-\w+: a process in a container may be using it\n/;
    const elsewhere =
      /keeping \S+gobonnie-\w+: it may be in use in another container; run gobonnie clean there, or on the machine itself, or gobonnie clean --host first if that host is gone\n/;
    for (const [flags, options, reason] of [
      [[], {}, onMachine],
      [['--host', 'first'], {}, onMachine],
      [[], { as: named('second') }, elsewhere],
    ] as const) {
      const { stdout, stderr } = await runGobonnie(['clean', ...flags, dir], options);
      expect(stdout).toBe('');
      expect(stderr).toMatch(reason);
    }
  });

  test('gobonnie clean on the machine removes the leftovers of a killed container, whatever its name', async () => {
    const dir = makeDirectory();
    const program = await startInContainer(dir);
    // Kill every process: the end of the first process ends the others, but the watcher might be faster.
    const [first = 0] = findWatchers(program.pid);
    for (const pid of [...findWatchers(first), first]) process.kill(pid, 'SIGKILL');
    await program.exitResult;
    const scratch = findScratch(dir);
    expect(scratch).toBeDefined();
    // Wait, because the kernel ends the other processes slightly later.
    const cleaned = () => runGobonnie(['clean', dir]);
    const stdout = await vi.waitUntil(async () => (await cleaned()).stdout, { timeout: 60_000 });
    expect(stdout).toBe(`removed ${scratch}\n`);
  });
});

test('a dead owner on this machine is dead even if the host name has changed', () => {
  expect(whyPossiblyAlive({ ...currentOwner(), startTime: '1', host: 'before' })).toBeNull();
});

/** Fields of /proc/PID/stat after the state, up to a few fields after the start time. */
const FIELDS =
  '12823 12791 5044 0 -1 4227084 108 0 1 0 1 2 3 4 20 0 11 0 777 1081344 246 18446744073709551615';

test.each([
  ['a plain name', `12830 (sleep) S ${FIELDS}`],
  ['a name like the rest of the line', `12830 (a) Z 1 (b) R 2 3) S ${FIELDS}`],
  ['a name with a line break', `12830 (a\nb) R ${FIELDS}\n`],
])('parseStartTime() returns the start time after %s', (_, line) => {
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

test.each(['known', 'unknown'])(
  'a child whose start time is %s is alive until it is killed',
  async (state) => {
    const child = spawn('sleep', ['1000']);
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    const pid = child.pid ?? 0;
    const isKnown = state === 'known' && existsSync('/proc/self/stat');
    const startTime = isKnown ? (parseStartTime(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? '') : '';
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
  const startTime = /\) \S(?: \S+){18} (\d+)/.exec(await waitForZombie(pid))?.[1] ?? '';
  expect(startTime).not.toBe('');
  expect(isAlive({ pid, startTime })).toBe(false);
});

/** Runs a shell command that sees the container's own /proc. */
const OWN = 'unshare --mount sh -c \'mount -t proc none /proc && exec "$@"\' sh';

test.for([
  ['the machine’s /proc', '', OWN],
  ['its own /proc', OWN, ''],
] as const)(
  'in a container, gobonnie clean detects a live run that sees %s, even if clean sees the other /proc',
  async ([_, run, clean], context) => {
    requireTools('root', 'unshare')(context);
    const script = `
    ${run} "$0" "$1" -q --dir "$2" --size 0.01 --threads 1 --iops-duration 600 &
    until test -e "$2"/gobonnie-*/bonnie.0; do sleep 0.05; done
    ${clean} "$0" "$1" clean "$2"
    kill -INT $!
    wait`;
    const args = ['--pid', '--fork', '--kill-child', 'sh', '-c', script];
    const program = startProcess('unshare', [...args, process.execPath, ENTRY, makeDirectory()]);
    onTestFinished(() => {
      program.child.kill('SIGKILL');
    });
    const { stdout, stderr } = await program.exitResult;
    expect(stderr).toMatch(/keeping \S+gobonnie-\w+: process \d+ is using it\n/);
    expect(stdout).not.toContain('removed');
  },
);

async function waitForZombie(pid: number): Promise<string> {
  const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
  if (line.includes(') Z ')) return line;
  await setTimeout(10);
  return waitForZombie(pid);
}
