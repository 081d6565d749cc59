import { readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { run } from '../../../src/index.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { runGobonnie } from '../../support/programs/program.js';
import { startGobonnieForTest } from '../../support/programs/running-program.js';

test('fill of a healthy disk says how much it will write, like its dry run, makes no claim about its size, and removes its files', async () => {
  const dir = makeDirectory();
  const page = path.join(makeDirectory(), 'fill.html');
  const report = `${page}.json`;
  const flags = [
    '--size',
    '256M',
    '--out',
    page,
    '--out',
    report,
    '--expect',
    'fill>=1kB/s',
    '--allow-cached',
  ];
  const { stdout, stderr, exitCode } = await runGobonnie(['fill', dir, ...flags]);
  const [, announcement = ''] = /^gobonnie: (.*)\n/.exec(stderr) ?? [];
  expect(announcement).toMatch(
    /^writes 256 MiB and reads it back: roughly .* on an NVMe SSD .* % of what .*; if the rate falls, up to 256 MiB more after a pause of 30 s$/,
  );
  const plan = await runInProcess(['fill', dir, ...flags, '--dry-run']);
  expect(plan.stdout).toContain(`\n  ${announcement}\n  seed: `);
  expect(stdout).toMatch(/\n {2}wrote 256 MiB in .*\n.* no cliff in 256 MiB\n/);
  expect(stdout).toMatch(/every block as\s+written\n$/);
  expect(stdout + stderr).not.toContain('claims');
  expect((await runInProcess(['show', report])).stdout).toBe(stdout);
  const html = readFileSync(page, 'utf8');
  expect(html).toContain('fill: rate over the amount written');
  expect(html).toMatch(/<b>[^<]*every block as written/);
  expect({ exitCode, files: readdirSync(dir) }).toEqual({ exitCode: 0, files: [] });
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends fill with the part that is written', async (signal) => {
  const dir = makeDirectory(os.tmpdir());
  const program = startGobonnieForTest(['fill', dir, '--size', '3G']);
  await program.untilStderr(/starting/);
  await wait(500);
  program.kill(signal);
  const { stdout, stderr, exitCode } = await program.exitResult;
  expect(stdout).toMatch(/\n {2}wrote [\d.]+ [MG]iB in .*\n(?:.*\n)* {2}not read back\n$/);
  expect(stderr).toContain(
    `gobonnie: stopped by ${signal} after 0 complete runs; the temporary files are removed\n`,
  );
  expect({ exitCode, files: readdirSync(dir) }).toEqual({
    exitCode: signal === 'SIGINT' ? 130 : 143,
    files: [],
  });
});

test.each([
  [['--size', '17'], 'fill would write 17 GiB; add --yes to confirm, or pass a smaller --size'],
  [
    ['--pause', '-1'],
    'invalid --pause -1: expected a number of seconds from 0 to 2147483; for example, --pause 120',
  ],
  [['--verify'], 'fill has no --verify; see gobonnie fill --help'],
  [
    ['--size', '4000T'],
    /^--size 4000T \(\d+ GiB\) does not fit in .*, which has .*; pass at most --size [\w.]+ or another --dir$/,
  ],
])('fill %j is rejected in one line', async (args, line) => {
  const { stdout, stderr, exitCode } = await runInProcess(['fill', ...args]);
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  expect(stderr.slice('gobonnie: '.length, -1)).toMatch(line);
});

test('a list of steps may begin with fill, whose data the other steps read and overwrite', async () => {
  const dir = makeDirectory();
  const steps = [
    { phase: 'fill', blockSize: '1m', threads: 2 },
    { phase: 'random', ioSize: '4k', mix: 50, seconds: 0.2, threads: 2, pause: 0.1 },
    { phase: 'read', blockSize: '1m', threads: 2 },
  ] as const;
  const report = await run({ dir, size: '300M', steps });
  const measured = report.runs[0]?.measurements.map(({ step, bytes }) => [step, bytes]);
  expect(measured).toMatchObject([
    ['seq1m-t2.fill', 300 * 1024 ** 2],
    ['rnd4k-t2.mix50', expect.any(Number)],
    ['seq1m-t2.read', 300 * 1024 ** 2],
  ]);
  expect(report.outcome).toEqual({ state: 'completed' });
});
