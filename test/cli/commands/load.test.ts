import { readdirSync } from 'node:fs';
import os from 'node:os';
import { expect, test } from 'vitest';
import { makeDirectory } from '../../support/disks/directory.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { startGobonnieForTest } from '../../support/programs/running-program.js';

test('load plans three steps alone and beside three others, within 40 s and 2 GiB', async () => {
  const { stdout, exitCode } = await runInProcess(['load', makeDirectory(), '--dry-run', '--json']);
  const { steps, neededBytes } = JSON.parse(stdout);
  expect(exitCode).toBe(0);
  const names = ['commit', 'read', 'open'].flatMap((name) => [
    name,
    ...['writer', 'reader', 'syncs'].flatMap((one) => [`${name}.beside-${one}`, `${one}.beside-${name}`]),
  ]);
  expect(steps.map(({ name }: { name: string }) => name)).toEqual(names);
  const alone = steps.filter(({ beside }: { beside: string | null }) => beside === null);
  const seconds = alone.map(({ goal }: { goal: { amount: number } }) => goal.amount);
  expect(seconds.reduce((sum: number, one: number) => sum + one + 0.5, 0)).toBeLessThan(40);
  expect(neededBytes).toBeLessThan(2 * 1024 ** 3);
  const text = (await runInProcess(['load', makeDirectory(), '--dry-run'])).stdout;
  expect(text).toMatch(
    / on a SATA SSD at 500 MB\/s, which writes about 5\.4 GiB\n.*, which writes about 18\.3 GiB\n/,
  );
});

test.each(['etcd', 'redis-aof', 'sqlite'])(
  'the preset %s has a step alone and beside another, and limits for them',
  async (preset) => {
    const { stdout, exitCode } = await runInProcess([
      'load',
      makeDirectory(),
      '--preset',
      preset,
      '--dry-run',
    ]);
    const [, alone = '', loaded = '', background = ''] =
      / {4}(\w+): .*\n {4}([\w.-]+): .*\n {4}([\w.-]+): .*, beside \2, 1 thread/.exec(stdout) ?? [];
    expect(exitCode).toBe(0);
    const other = background.replace(`.beside-${alone}`, '');
    expect(loaded).toBe(`${alone}.beside-${other}`);
  },
);

test('the preset sqlite exits with 3 if a limit is not met, and its table has the load', async () => {
  // On a disk, because the commits of 20 s in memory would keep the CPUs of other tests busy.
  const dir = makeDirectory(os.tmpdir());
  const flags = ['--preset', 'sqlite', '--size', '16M', '--expect', 'commit.p99<1ns', '--allow-cached'];
  const { stdout, exitCode } = await runInProcess(['load', dir, ...flags]);
  expect(stdout).toMatch(/\n {2}commit .*\n {4}beside reader .* × [\d.]+ .*\/s .*\/s\n/);
  expect(exitCode).toBe(3);
});

test('Ctrl-C ends load with the results of its complete steps, and no files remain', async () => {
  const dir = makeDirectory();
  const program = startGobonnieForTest(['load', dir, '--size', '64M', '-v']);
  await program.untilStderr(/latency p50/);
  program.kill('SIGINT');
  const { stdout, exitCode } = await program.exitResult;
  expect(stdout).toMatch(/p99 alone/);
  expect({ exitCode, files: readdirSync(dir) }).toEqual({ exitCode: 130, files: [] });
});

test('a condition on a step of another name is rejected with the names of the steps', async () => {
  const args = ['load', makeDirectory(), '--preset', 'etcd', '--expect', 'commit.beside-writer.sync.p99<1s'];
  const { stderr, exitCode } = await runInProcess(args);
  expect(stderr).toMatch(/, or name commit\.beside-backend, backend\.beside-commit\n$/);
  expect(exitCode).toBe(2);
});

test.each([
  [['--beside', 'write'], /^--beside has no --step before it; for example, --step random --beside write$/],
  [
    ['--step', 'random,threads=2', '--beside', 'randread'],
    /^invalid --beside randread: expected read, write, rewrite or random .*; gobonnie explain randread translates it from fio$/,
  ],
  [
    ['--step', 'read', '--beside', 'write,seconds=3'],
    /^--beside write,seconds=3: a step beside another has no seconds of its own; leave it out$/,
  ],
  [
    ['--step', 'read', '--beside', 'commit-etcd'],
    /^invalid --beside commit-etcd: expected read, write, rewrite or random with settings/,
  ],
  [
    ['--step', 'fill', '--step', 'read', '--beside', 'write'],
    /no step can run beside one on filled data; leave out fill/,
  ],
  [['--step', 'open,threads=2'], /^--step: threads has no effect on open; leave it out$/],
])('%j is rejected in one line', async (args, line) => {
  const { stdout, stderr, exitCode } = await runInProcess(args);
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  expect(stderr.slice('gobonnie: '.length, -1)).toMatch(line);
});

test('--beside belongs to the step before it, and the text of a step may name it with a plus', async () => {
  const plan = async (...args: readonly string[]) => {
    const { stdout } = await runInProcess([makeDirectory(), '--dry-run', ...args]);
    return [...stdout.matchAll(/^ {4}(\w): .*?(?:beside (\w))?, \d threads?$/gm)].map(([, name, beside]) => [
      name,
      beside,
    ]);
  };
  const steps = [
    '--step',
    'read,name=a',
    '--step',
    'random,name=b',
    '--beside',
    'write,name=c',
    '--step',
    'read,name=d',
  ];
  const planned = await plan(...steps);
  expect(planned).toEqual([
    ['a', undefined],
    ['b', undefined],
    ['c', 'b'],
    ['d', undefined],
  ]);
  expect(await plan('--step', 'read,name=a random,name=b+write,name=c read,name=d')).toEqual(planned);
});
