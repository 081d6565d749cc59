import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeDirectory } from '../../support/disks/directory.js';
import { runInProcess } from '../../support/programs/in-process.js';

/** Runs sweep on points in a file. */
async function sweepFrom(rows: readonly string[], ...flags: readonly string[]) {
  const file = path.join(makeDirectory(), 'points.csv');
  writeFileSync(file, ['threads,iops,p99_us,mean_us', ...rows].join('\n'));
  return runInProcess(['sweep', '--from', file, ...flags]);
}

const POINTS = ['1,6389,204,154', '4,21028,272,187', '16,45389,457,350', '64,45409,2146,1000'];

test('sweep --from prints a table, two charts, the knee and the quota in 80 columns', async () => {
  const { stdout, stderr, exitCode } = await sweepFrom(POINTS, '--latency', 'p99<1ms');
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  expect(stdout).toMatch(/^ {2}threads +IOPS +p99 +in flight +notes\n {2}1 +6389 +204 µs +1\.0\n/);
  expect(stdout).toMatch(/\n {2}16 +45389 +457 µs +15\.9 +knee\n/);
  expect(stdout).toMatch(/\n {2}64 +45409 +2\.15 ms +45\.4 +threads wait outside of I\/O\n/);
  expect(stdout).toMatch(/\nby threads, ops\/s +by threads, p99\n/);
  expect(stdout).toMatch(/\n +1 +4 +16 +64 +1 +4 +16 +64\n/);
  expect(stdout).toContain(
    'Knee: 16 threads (45389/s, p99 457 µs), the least within 5 % of the best rate.\n',
  );
  expect(stdout).toContain('Latency: up to 16 threads meet p99<1ms (45389/s, p99 457 µs).\n');
  expect(stdout).toMatch(/Quota: no sign of one\.\n$/);
  expect(stdout.split('\n').filter((line) => line.length >= 80)).toEqual([]);
});

test('sweep --from --json prints one line with the knee, the quota and the points', async () => {
  const { stdout } = await sweepFrom(['4,3600,', '4,3601,', '4,100,', '4,101,'], '--json');
  expect(stdout.trimEnd()).not.toContain('\n');
  const result = JSON.parse(stdout);
  expect(Object.keys(result)).toEqual(['knee', 'quota', 'points']);
  expect(result.quota).toMatchObject({ evidence: 'level-fall', burstPerSecond: 3600.5, perSecond: 100.5 });
  expect(result.knee).toMatchObject({ threads: 4, p99Ns: null });
});

test('a single point has no chart, and the quota names both levels', async () => {
  const { stdout } = await sweepFrom(['4,3600,', '4,3601,', '4,100,', '4,101,']);
  expect(stdout).not.toContain('by threads');
  expect(stdout).toContain('Quota: the rate fell from 3601/s to 100.5/s; ');
});

test.each([
  [['--from', 'a', '/tmp'], '--from a and the directory /tmp contradict each other; use only one of them'],
  [
    ['--from', 'a', '--latency', 'p50<2ms'],
    'invalid --latency "p50<2ms": expected an upper bound of p99; for example, --latency "p99<2ms"',
  ],
])('sweep %j is rejected in one line', async (args, line) => {
  const { stdout, stderr, exitCode } = await runInProcess(['sweep', ...args]);
  expect({ stdout, stderr, exitCode }).toEqual({ stdout: '', stderr: `gobonnie: ${line}\n`, exitCode: 2 });
});
