import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { makeDirectory } from '../support/disks/directory.js';
import { mountTmpfs } from '../support/disks/mounts.js';
import { killWithWatcher } from '../support/programs/leftover.js';
import { runGobonnie, startGobonnie } from '../support/programs/program.js';
import { startGobonnieForTest } from '../support/programs/running-program.js';
import { requireTools } from '../support/tools.js';
import { forEachConcurrently, randomTimes } from './concurrency.js';

const KILLS = 20;
const CONCURRENCY = 2;

beforeEach(requireTools('root', 'mount', 'setsid'));

/** A source directory, two sides, and a directory outside of them, all with a file to compare afterwards. */
function makePlaces() {
  const [cwd, one, other, outside] = [makeDirectory(), makeDirectory(), makeDirectory(), makeDirectory()];
  for (const directory of [cwd, one, other, outside]) {
    mkdirSync(path.join(directory, 'sub'));
    writeFileSync(path.join(directory, 'sub', 'file'), directory);
  }
  const listing = () =>
    [cwd, one, other, outside].map((directory) =>
      readdirSync(directory, { recursive: true, encoding: 'utf8' })
        .toSorted()
        .map((name) =>
          name === 'sub' ? name : `${name}: ${readFileSync(path.join(directory, name), 'utf8')}`,
        ),
    );
  return { cwd, outside, sides: [one, other] as const, listing };
}

/** Finds processes whose command line has this word. */
function findProcesses(word: string): readonly string[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids.filter((id) => {
    try {
      return readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0').includes(word);
    } catch {
      return false;
    }
  });
}

function findControlGroups(): readonly string[] {
  const mounts = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'].filter((mount) => existsSync(mount));
  return mounts.flatMap((mount) => readdirSync(mount).filter((name) => name.startsWith('gobonnie-')));
}

test.each([
  ['removes its working directory', 'rm -rf "$PWD"'],
  ['replaces its working directory with a link', 'cd /; rm -rf "$OLDPWD"; ln -s "$OUTSIDE" "$OLDPWD"'],
  ['links to other directories', 'ln -sfn "$OUTSIDE" link; ln -sfn / root'],
  ['takes away its own access', 'mkdir -p a/b; touch a/b/c; chmod 0 a/b a .'],
  ['makes 20,000 files', 'mkdir -p many; cd many; seq 20000 | xargs touch'],
  ['makes names that need care', 'touch -- "-rf *" "$(printf "a\\nb")"; mkdir -p owner "gobonnie-abcdef"'],
])('a command that %s leaves nothing, and nothing outside its copy changes', async (_, script) => {
  const { cwd, outside, sides, listing } = makePlaces();
  const before = listing();
  const args = ['ab', ...sides, '--runs', '1', '--warm', '-q', '--', 'sh', '-c', script];
  const { stderr, exitCode } = await runGobonnie(args, { cwd, env: { ...process.env, OUTSIDE: outside } });
  expect([stderr, exitCode]).toEqual(['', 0]);
  expect(listing()).toEqual(before);
  expect(findControlGroups()).toEqual([]);
});

test('processes that a command leaves in the background end with its run, even in sessions of their own', async () => {
  const { cwd, sides, listing } = makePlaces();
  const before = listing();
  const seconds = '98765';
  const script = `sleep ${seconds} & setsid sleep ${seconds} & setsid sh -c 'while :; do echo x >> grown; done' & sleep 0.1`;
  const { exitCode } = await runGobonnie(['ab', ...sides, '--runs', '1', '--', 'sh', '-c', script], { cwd });
  expect([exitCode, findProcesses(seconds), listing()]).toEqual([0, [], before]);
});

test('clean removes the control group of a run that was killed with its clean-up process, and ends what runs in it', async () => {
  const { cwd, sides, listing } = makePlaces();
  const before = listing();
  const seconds = `97${process.pid}`;
  const script = `setsid env -i sleep ${seconds} & sleep 0.1; echo star''ted; wait`;
  const program = startGobonnieForTest(['ab', ...sides, '-v', '--', 'sh', '-c', script], { cwd });
  await program.untilStderr(/started/);
  await killWithWatcher(program);
  const [group = ''] = findControlGroups();
  for (const side of sides) await runGobonnie(['clean', side]);
  expect(group).toContain(`gobonnie-${program.pid}-`);
  expect([findControlGroups(), findProcesses(seconds), listing()]).toEqual([[], [], before]);
});

test('clean keeps the control group of a live process', async () => {
  const { cwd, sides } = makePlaces();
  const program = startGobonnieForTest(['ab', ...sides, '-v', '--', 'sh', '-c', "echo star''ted; sleep 60"], {
    cwd,
  });
  await program.untilStderr(/started/);
  const groups = findControlGroups();
  await runGobonnie(['clean', sides[0]]);
  expect([groups.length, findControlGroups()]).toEqual([1, groups]);
});

test('a mount that a command leaves in its copy is not entered, and the message names it', async () => {
  const { cwd, outside, sides } = makePlaces();
  const args = ['ab', ...sides, '--runs', '1', '--', 'sh', '-c', 'mkdir m; mount --bind "$OUTSIDE" m'];
  const { stderr, exitCode } = await runGobonnie(args, { cwd, env: { ...process.env, OUTSIDE: outside } });
  const mounted = readFileSync('/proc/self/mountinfo', 'utf8').match(/\S+\/work\/m(?= )/g) ?? [];
  onTestFinished(() => {
    for (const directory of mounted) execFileSync('umount', [directory]);
  });
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`unmount ${mounted[0]} first`);
  expect(readFileSync(path.join(outside, 'sub', 'file'), 'utf8')).toBe(outside);
});

test('a full disk ends the comparison with the last lines of the command, and leaves nothing', async () => {
  const { cwd, sides } = makePlaces();
  const small = mountTmpfs('size=1m');
  const args = ['ab', sides[0], small, '--', 'dd', 'if=/dev/zero', 'of=filled', 'bs=64k', 'count=100'];
  const { stderr, exitCode } = await runGobonnie(args, { cwd });
  expect([exitCode, readdirSync(small)]).toEqual([1, []]);
  expect(stderr).toContain('No space left on device');
});

test.each([
  ['SIGKILL', null],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  `after %s at ${KILLS} random times, no process, file or control group is left`,
  async (signal, code) => {
    const { cwd, sides, listing } = makePlaces();
    const before = listing();
    const seconds = `9${process.pid}${code ?? 0}`;
    const script = `touch grown; setsid sleep ${seconds} & sleep 0.05; rm -rf sub`;
    const args = ['ab', ...sides, '--runs', '100', '--', 'sh', '-c', script];
    await forEachConcurrently(randomTimes(1500, KILLS), CONCURRENCY, async (timeMs) => {
      const run = startGobonnie(args, { cwd });
      await sleep(timeMs);
      run.child.kill(signal);
      const { exitCode } = await run.exitResult;
      // A signal before the first handler ends the process at once.
      if (exitCode !== null) expect(exitCode).toBe(code);
    });
    await vi.waitFor(
      () => expect([listing(), findProcesses(seconds), findControlGroups()]).toEqual([before, [], []]),
      {
        timeout: 10_000,
      },
    );
  },
);
