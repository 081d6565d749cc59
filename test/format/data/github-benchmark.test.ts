import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { githubBenchmark } from '../../../src/format/data/github-benchmark.js';
import { toResults } from '../../../src/report/report-to-results.js';
import type { Report } from '../../../src/report/schema/report.js';
import { measurementWith, runsAt, runWith } from '../../support/data/fixtures.js';
import { pipeThrough } from '../../support/programs/pipe-through.js';
import { requireTools } from '../../support/tools.js';
import { COMPLETED } from '../reports.js';

beforeEach(requireTools('jq'));

/** Schema that github-action-benchmark accepts for customBiggerIsBetter and customSmallerIsBetter. */
const benchmarks = z.array(
  z.strictObject({
    name: z.string().min(1),
    unit: z.string().min(1),
    value: z.number(),
    range: z.string().optional(),
    extra: z.string().optional(),
  }),
);

function readSource(text: string): z.infer<typeof benchmarks> {
  expect(text).toMatch(/^[^\n]+\n$/);
  return benchmarks.parse(JSON.parse(pipeThrough('jq', ['.'], text)));
}

const throughput = (...reports: readonly Report[]) => githubBenchmark('higher')(reports.map(toResults));
const latency = (...reports: readonly Report[]) => githubBenchmark('lower')(reports.map(toResults));

test('throughput and latency are separate arrays', () => {
  expect(readSource(throughput(COMPLETED)).map(({ name, value, unit }) => [name, value, unit])).toEqual([
    ['write', 858.993, 'MB/s'],
    ['read', 2147.48, 'MB/s'],
    ['iops', 20_000, 'ops/s'],
  ]);
  expect(readSource(latency(COMPLETED)).map(({ name, value, unit }) => [name, value, unit])).toEqual(
    ['write', 'read', 'iops'].flatMap((phase) => [
      [`${phase}.p50`, 59.904, 'µs'],
      [`${phase}.p99`, 59.904, 'µs'],
      [`${phase}.max`, 121, 'µs'],
    ]),
  );
});

test('a single run has no range; several runs have half of the 95 % interval', () => {
  const [single] = readSource(throughput(COMPLETED));
  expect(single).toEqual({
    name: 'write',
    unit: 'MB/s',
    value: 858.993,
    extra: 'Sequential Write: rate\n1 run\n/mnt/disk',
  });
  const [several] = readSource(throughput({ ...COMPLETED, runs: runsAt(1e9, 1.1e9, 1.2e9) }));
  expect(several).toEqual({
    name: 'write',
    unit: 'MB/s',
    value: 1100,
    range: '± 248.414',
    extra: 'Sequential Write: rate\n3 runs, 1000 to 1200 MB/s\n/mnt/disk',
  });
});

describe('the names of benchmarks', () => {
  const elsewhere = { ...COMPLETED, label: 'runner-7', target: { ...COMPLETED.target, directory: '/tmp' } };

  test('do not depend on the host or the directory, so a chart continues', () => {
    const benchmarkNames = (report: Report) => readSource(throughput(report)).map(({ name }) => name);
    expect(benchmarkNames(elsewhere)).toEqual(benchmarkNames(COMPLETED));
  });

  test('differ for several directories', () => {
    const names = readSource(throughput(COMPLETED, elsewhere)).map(({ name }) => name);
    expect(names).toContain('goldhost /mnt/disk: write');
    expect(names).toContain('runner-7 /tmp: write');
    expect(new Set(names).size).toBe(names.length);
  });
});

test('an incomplete run is omitted', () => {
  const stopped = runWith({ state: 'incomplete', measurements: [measurementWith({ bytesPerSecond: 1 })] });
  expect(throughput({ ...COMPLETED, runs: [runWith(), stopped] })).toBe(throughput(COMPLETED));
  expect(throughput({ ...COMPLETED, runs: [stopped] })).toBe('[]\n');
});
