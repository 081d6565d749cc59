import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeDirectory } from '../../support/disks/directory.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { runGobonnie } from '../../support/programs/program.js';
import { startGobonnieForTest } from '../../support/programs/running-program.js';
import { requireTools } from '../../support/tools.js';

const SMALL = ['--size', '8M', '--interval', '10ms'];
const LINE = /^ {2}\d\d:\d\d:\d\d {1,9}[\d.]+ [nµm]?s(?: {2}▇+)?$/;

test.each([
  [[], 'reads of 4 KiB'],
  [['--write'], 'synced writes of 4 KiB'],
])(
  'ping %j prints a line for each operation, then the spikes and the percentiles, and removes its file',
  async (flags, what) => {
    const dir = makeDirectory();
    const file = path.join(makeDirectory(), 'ping.json');
    const args = ['ping', dir, ...SMALL, '--count', '30', '--out', file, ...flags];
    const { stdout, exitCode } = await runGobonnie(args);
    const [lines = '', summary = ''] = stdout.split('\n\n');
    expect(lines.split('\n').filter((line) => LINE.test(line))).toHaveLength(30);
    expect(summary).toContain(`  30 ${what} in 0.`);
    expect(summary).toMatch(/spike[\s\S]*\n {2}p50 .* p90 .* p99 .* p99\.9 .* max .*\n$/);
    expect({ exitCode, files: readdirSync(dir) }).toEqual({ exitCode: 0, files: [] });
    expect((await runInProcess(['show', file])).stdout).toBe(summary);
    const page = (await runInProcess(['show', file, '--format', 'html'])).stdout.replaceAll(/<[^>]*>/g, '');
    expect(page).toMatch(
      /Half of the 30 (synced )?\w+ took at most .*(No spike|\d+ spikes?,.*: \d{4}-\d\d-\d\d [\d:.]+ UTC ).*Lower is better/s,
    );
  },
);

test('ping --write also prints the last operation if the sync after it takes long', async (context) => {
  requireTools('strace')(context);
  const as = 'strace -f -qq -o /dev/null -e trace=fsync -e inject=fsync:delay_enter=400ms'.split(' ');
  const args = ['ping', makeDirectory(), ...SMALL, '--write', '--count', '2'];
  const { stdout } = await runGobonnie(args, { as });
  expect(stdout.split('\n').filter((line) => LINE.test(line))).toHaveLength(2);
});

test.each([
  ['SIGINT', ['--expect', 'ping.p99<60s', '--allow-cached'], 0],
  ['SIGTERM', ['--expect', 'ping.p99<1ns', '--allow-cached'], 3],
] as const)('%s ends ping with its results and its verdict', async (signal, condition, exitCode) => {
  const dir = makeDirectory();
  const program = startGobonnieForTest(['ping', dir, ...SMALL, ...condition]);
  await program.untilStdout(/(?:.*s.*\n){20}/);
  program.kill(signal);
  const result = await program.exitResult;
  expect(result.stdout).toMatch(/\n {2}\d+ reads of 4 KiB in .*\n {2}p50 .*\n$/);
  expect({ exitCode: result.exitCode, files: readdirSync(dir) }).toEqual({ exitCode, files: [] });
});

test('a signal while ping creates its file ends it without an operation and without a warning', async () => {
  const dir = makeDirectory();
  const program = startGobonnieForTest(['ping', dir, '--size', '1G', '--format', 'ndjson']);
  await program.untilStdout(/"type":"sample"/);
  program.kill('SIGINT');
  const { stdout, stderr, exitCode } = await program.exitResult;
  expect(stdout).not.toMatch(/"step-start".*"step":"ping"|layout-stopped/);
  expect(stderr).toMatch(/stopped by SIGINT after 0 complete runs; the temporary files are removed\n$/);
  expect({ exitCode, files: readdirSync(dir) }).toEqual({ exitCode: 130, files: [] });
});

test.each([
  [
    ['--interval', '0.5ms'],
    'invalid --interval 0.5ms: expected a time from 1ms to 1 hour, in seconds or with the unit ms; for example, --interval 0.1',
  ],
  [
    ['--count', '0'],
    'invalid --count 0: expected a whole number from 1 to 2147483648; for example, --count 60',
  ],
  [['--runs', '2'], 'ping has no --runs; see gobonnie ping --help'],
])('ping %j is rejected in one line', async (args, line) => {
  const { stdout, stderr, exitCode } = await runInProcess(['ping', ...args]);
  expect({ stdout, stderr, exitCode }).toEqual({ stdout: '', stderr: `gobonnie: ${line}\n`, exitCode: 2 });
});

test('a ping that is left running rewrites its files every ten seconds, and its memory does not grow', async () => {
  const file = path.join(makeDirectory(), 'disk.prom');
  const flags = ['--size', '8M', '--interval', '1ms', '--count', '22000', '--out', file];
  const program = startGobonnieForTest(['ping', makeDirectory(), ...flags]);
  const samples: { readonly inode: number; readonly residentKib: number }[] = [];
  const sample = () => {
    const residentKib = Number(
      /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${program.pid}/status`, 'utf8'))?.[1],
    );
    samples.push({ inode: statSync(file).ino, residentKib });
  };
  const isFilled = () => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  while (isFilled() === 0) await wait(200);
  while (program.child.exitCode === null && samples.length < 60) {
    sample();
    await wait(200);
  }
  await program.exitResult;
  expect(new Set(samples.map(({ inode }) => inode)).size).toBeGreaterThan(1);
  expect(readFileSync(file, 'utf8')).toMatch(/gobonnie_latency_seconds\{.*step="ping".*\} \d/);
  const [first, last] = [samples[0]?.residentKib ?? 0, samples.at(-1)?.residentKib ?? 0];
  expect(last).toBeLessThan(first * 1.2);
});
