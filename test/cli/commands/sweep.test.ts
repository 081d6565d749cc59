import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sweepSentences } from '../../../src/format/human/commands/sweep-text.js';
import { stepsReport } from '../../support/data/step-reports.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { runGobonnie } from '../../support/programs/program.js';
import { startGobonnieForTest } from '../../support/programs/running-program.js';

/** Runs sweep on points in a file. */
async function sweepFrom(rows: readonly string[], ...flags: readonly string[]) {
  const file = path.join(makeDirectory(), 'points.csv');
  writeFileSync(file, ['depth,iops,p99_us,mean_us', ...rows].join('\n'));
  return runInProcess(['sweep', '--from', file, ...flags]);
}

const POINTS = ['1,6389,204,154', '4,21028,272,187', '16,45389,457,350', '64,45409,2146,1000'];

test('sweep --from prints a table, two charts, the knee and the quota in 80 columns', async () => {
  const { stdout, stderr, exitCode } = await sweepFrom(POINTS, '--latency', 'p99<1ms');
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  expect(stdout).toMatch(/^ {2}depth +IOPS +p99 +in flight +notes\n {2}1 +6389 +204 µs +1\.0\n/);
  expect(stdout).toMatch(/\n {2}16 +45389 +457 µs +15\.9 +knee\n/);
  expect(stdout).toMatch(/\n {2}64 +45409 +2\.15 ms +45\.4 +threads wait outside of I\/O\n/);
  expect(stdout).toMatch(/\nby depth, ops\/s +by depth, p99\n/);
  expect(stdout).toMatch(/\n +1 +4 +16 +64 +1 +4 +16 +64\n/);
  expect(stdout).toContain('Knee: depth 16 (45389/s, p99 457 µs), the least within 5 % of the best rate.\n');
  expect(stdout).toContain('Latency: up to depth 16 meets p99<1ms (45389/s, p99 457 µs).\n');
  expect(stdout).toMatch(
    /Quota: no sign of one\. A limit of the host that gobonnie cannot read looks\s+like\s+the\s+disk\s+itself\.\n$/,
  );
  expect(stdout.split('\n').filter((line) => line.length >= 80)).toEqual([]);
});

test('a rate that still grows at the greatest depth has no knee and no verdict about a quota', async () => {
  const { stdout } = await sweepFrom(POINTS.slice(0, 3));
  expect(stdout).toMatch(/\n {2}16 +45389 +457 µs +15\.9 +fastest\n/);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'Knee: not reached. The greatest depth, 16, is the fastest (45389/s, p99 457 µs): ' +
      'measure 16, 32 and 64 to see if a greater depth is faster. Quota: unknown, because the knee is not reached.',
  );
  const { stdout: json } = await sweepFrom(POINTS.slice(0, 3), '--json');
  expect(JSON.parse(json).knee).toMatchObject({ depth: 16, isReached: false });
});

test.each([
  ['4,16000,1785.9,', '1.79 ms'],
  ['4,16000,1999.9,', '1.99 ms'],
])('for the point %j, a bound of 2 ms is met by a p99 of %s', async (row, p99) => {
  const { stdout } = await sweepFrom([row], '--latency', 'p99<2ms');
  expect(stdout).toContain(`Latency: up to depth 4 meets p99<2ms (16000/s, p99 ${p99}).\n`);
});

test.each([
  [['4,21028,1600,187'], 'but depth 4 does not.'],
  [['4,21028,1600,187', '8,30000,1500,250'], 'but depths 4 and 8 do not.'],
])('among %j, the sentence about the latency names the smaller depths that miss it', async (rows, end) => {
  const { stdout } = await sweepFrom(
    [...POINTS, ...rows].filter((row) => row !== POINTS[1]),
    '--latency',
    'p99<1.5ms',
  );
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    `Latency: depth 16 is the greatest that meets p99<1.5ms (45389/s, p99 457 µs), ${end}`,
  );
});

test('sweep --from --json prints one line with the knee, the quota and the points', async () => {
  const { stdout } = await sweepFrom(['4,3600,', '4,3601,', '4,100,', '4,101,'], '--json', '--quiet=false');
  expect(stdout.trimEnd()).not.toContain('\n');
  const result = JSON.parse(stdout);
  expect(Object.keys(result)).toEqual(['knee', 'quota', 'points']);
  expect(result.quota).toMatchObject({ evidence: 'level-fall', burstPerSecond: 3600.5, perSecond: 100.5 });
  expect(result.knee).toMatchObject({ depth: 4, p99Ns: null });
});

test('a single point has no chart, and the quota names both levels', async () => {
  const { stdout } = await sweepFrom(['4,3600,', '4,3601,', '4,100,', '4,101,']);
  expect(stdout).not.toContain('by depth');
  expect(stdout).toContain('Quota: the rate fell from 3601/s to 100.5/s; ');
});

test('points without p99_us are rejected with --latency, and analyzed without it', async () => {
  const file = path.join(makeDirectory(), 'points.csv');
  writeFileSync(file, 'depth,iops,clat_p99\n1,100,1\n2,200,2\n');
  const { stderr, exitCode } = await runInProcess(['sweep', '--from', file, '--latency', 'p99<2ms']);
  expect(exitCode).toBe(2);
  expect(stderr).toBe(`gobonnie: ${file} has no p99_us, which --latency needs; add the column p99_us\n`);
  expect((await runInProcess(['sweep', '--from', file])).exitCode).toBe(0);
});

test.each([
  [{ state: 'completed' } as const, 'Knee: not reached. The greatest depth, 2, is the fastest'],
  [{ state: 'aborted', reason: 'SIGINT' } as const, 'Knee: unknown, because the sweep did not finish.'],
])('after %j, a sweep whose rate still grew says: %s', (outcome, sentence) => {
  const steps = [1, 2].map((depth) => {
    return { step: { name: `q${depth}`, depth }, rates: [depth * 1e8] };
  });
  expect(sweepSentences(stepsReport(steps, { outcome }))[0]).toContain(sentence);
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

const SMALL = ['--size', '16M', '--iops-duration', '0.1'];

/** Returns the depths of the points in a JSON document. */
const depthsOf = (json: string): readonly number[] =>
  JSON.parse(json).points.map(({ depth }: { depth: number }) => depth);

test('sweep --json measures each depth, and prints the same keys as for points in a file', async () => {
  const dir = makeDirectory();
  const args = ['sweep', dir, '--json', '--runs', '1', '--depth', '1,2', ...SMALL];
  const { stdout, exitCode } = await runInProcess(args);
  expect(exitCode).toBe(0);
  expect(Object.keys(JSON.parse(stdout))).toEqual(['knee', 'quota', 'points']);
  expect(depthsOf(stdout)).toEqual([1, 2]);
  expect(readdirSync(dir)).toEqual([]);
});

test('a table of --threads has their numbers, and show prints the same for its report', async () => {
  const file = path.join(makeDirectory(), 'sweep.json');
  const args = ['sweep', makeDirectory(), '--runs', '1', '--threads', '1,2', ...SMALL];
  args.push('--latency', 'p99<1s', '--out', file);
  const { stdout } = await runInProcess(args);
  expect(stdout).toMatch(/^ {2}threads +IOPS .*\n {2}1 .*\n {2}2 /);
  expect((await runInProcess(['show', file])).stdout).toBe(stdout);
  const markdown = (await runInProcess(['show', file, '--format', 'markdown'])).stdout;
  expect(markdown).toMatch(/^- Knee: .* Latency: .* p99&#60;1s.* Quota: /m);
});

test('Ctrl-C in the second run prints the points so far, leaves nothing behind, and exits with 130', async () => {
  const dir = makeDirectory();
  const flags = ['--json', '-v', '--runs', '1000', '--depth', '1,2'];
  const program = startGobonnieForTest(['sweep', dir, ...flags, ...SMALL]);
  await program.untilStderr(/(?: operations [\s\S]*){3}/);
  program.kill('SIGINT');
  const { stdout, exitCode } = await program.exitResult;
  expect(exitCode).toBe(130);
  expect(depthsOf(stdout)).toEqual([1, 2]);
  expect(readdirSync(dir)).toEqual([]);
});

test('without --depth, a job is rejected by all ranks before anything is written', async () => {
  const dir = makeDirectory();
  const rendezvous = makeDirectory();
  const ranks = ['0', '1'].map((rank) =>
    runGobonnie(['sweep', dir, '--rendezvous', rendezvous, '--ranks', '2', '--rank', rank]),
  );
  const results = await Promise.all(ranks);
  expect(results.map(({ exitCode }) => exitCode)).toEqual([2, 2]);
  expect(results[0]?.stderr).toBe(
    'gobonnie: a job needs a list of --depth: all ranks measure the same points; for example, --depth 1,4,16,64\n',
  );
  expect([...readdirSync(dir), ...readdirSync(rendezvous)]).toEqual([]);
});
