import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import type { Report } from '../../src/report/schema/report.js';
import { computeMedian } from '../../src/report/statistics/statistics.js';
import { NS_PER_MS } from '../../src/text/units.js';
import { makeDirectory } from '../support/disks/directory.js';
import { mountNbd, NBD_TOOLS } from '../support/disks/nbd.js';
import { runGobonnie } from '../support/programs/program.js';
import { readReportFile } from '../support/programs/read-report-file.js';
import { startGobonnieForTest } from '../support/programs/running-program.js';
import { suspendFor } from '../support/programs/suspend.js';
import { requireTools } from '../support/tools.js';

beforeEach(requireTools(...NBD_TOOLS, 'ioping'));

test('on a disk that answers after 20 ms, ping measures at least that, and tells a spike of the disk from a pause of the machine', async () => {
  const disk = await mountNbd('--filter=delay', 'memory', 'size=128M', 'rdelay=20ms');
  const file = path.join(makeDirectory(), 'report.json');
  const flags = ['--size', '8M', '--interval', '1ms', '--out', file];
  const program = startGobonnieForTest(['ping', disk.dir, ...flags]);
  await program.untilStdout(/(?:.* ms.*\n){20}/);
  disk.signal('SIGSTOP');
  await wait(1000);
  disk.signal('SIGCONT');
  await wait(500);
  await suspendFor(program.pid, 2000);
  await wait(500);
  program.kill('SIGINT');
  const { stdout } = await program.exitResult;
  const spikes = stdout.slice(stdout.indexOf('spikes')).split('\n');
  expect(spikes).toContainEqual(expect.stringMatching(/ 1\.\d+ s$| {2}1 s$/));
  expect(spikes).toContainEqual(
    expect.stringMatching(/ [12][.\d]* s, of which this machine itself paused for [12][.\d]* s$/),
  );
  const { slowest = [], latencyNs: latencies } = readReportFile(file).runs[0]?.measurements[0] ?? {};
  expect(Math.max(...slowest.map((one) => one.latencyNs))).toBe(latencies?.max);
  // The percentiles are as exact as the buckets of the histogram.
  const latencyNs = readReportFile(file).runs[0]?.measurements[0]?.latencyNs;
  expect(latencyNs?.min).toBeGreaterThanOrEqual(20e6);
  expect(latencyNs?.p50).toBeGreaterThanOrEqual(19.7e6);
});

test('on a disk with a delay of 100 ms, the median of ping is within 5 % of the median of ioping', async () => {
  const { dir } = await mountNbd('--filter=delay', 'memory', 'size=128M', 'rdelay=100ms');
  const ioping = execFileSync('ioping', ['-D', '-c', '30', '-i', '1ms', '-s', '4k', dir], {
    encoding: 'utf8',
  });
  const timesMs = Array.from(ioping.matchAll(/time=([\d.]+) ms/g), ([, ms]) => Number(ms));
  const flags = ['--size', '8M', '--count', '30', '--interval', '1ms', '--json'];
  const { stdout } = await runGobonnie(['ping', dir, ...flags]);
  const { runs }: Report = JSON.parse(stdout);
  const median = (runs[0]?.measurements[0]?.latencyNs?.p50 ?? 0) / NS_PER_MS;
  expect(median / computeMedian(timesMs)).toBeGreaterThan(0.95);
  expect(median / computeMedian(timesMs)).toBeLessThan(1.05);
});
