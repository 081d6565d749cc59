import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { bencherJson, githubBenchmark } from '../../../src/format/data/continuous-benchmarks.js';
import { toResults } from '../../../src/report/results.js';
import type { Report } from '../../../src/report/schema/report.js';
import { measurementWith, runsAt, runWith } from '../../support/data/fixtures.js';
import { COMPLETED } from '../reports.js';

/** Reads one line of JSON. */
function readLine(text: string): unknown {
  expect(text).toMatch(/^[^\n]+\n$/);
  return JSON.parse(text);
}

const THREE_RUNS = { ...COMPLETED, runs: runsAt(1e9, 1.1e9, 1.2e9) };
const ELSEWHERE = { ...COMPLETED, label: 'runner-7', target: { ...COMPLETED.target, directory: '/tmp' } };
const SLOW = measurementWith({ bytesPerSecond: 1 });
const STOPPED_RUN = runWith({ state: 'incomplete', measurements: [SLOW] });

describe('Bencher', () => {
  /** Schema of Bencher Metric Format, with its length limits. */
  const bound = z.number().optional();
  const measure = z.strictObject({ value: z.number(), lower_value: bound, upper_value: bound });
  const slug = z.string().regex(/^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/);
  const benchmarks = z.record(z.string().regex(/^.{1,1024}$/su), z.record(slug, measure));
  const read = (...reports: readonly Report[]) =>
    benchmarks.parse(readLine(bencherJson(reports.map(toResults))));

  test('gets a benchmark for each phase, whose measures have Bencher’s names where Bencher has a name', () => {
    expect(read(COMPLETED)).toMatchObject({
      write: {
        'rate-bytes-per-second': { value: 1_073_741_824 },
        latency: { value: 59_600 },
        'latency-p50-nanoseconds': { value: 59_904 },
        'latency-p99-nanoseconds': { value: 59_904 },
        'latency-max-nanoseconds': { value: 121_000 },
      },
      iops: { throughput: { value: 20_000 }, latency: { value: 59_600 } },
    });
  });

  test('gets no bounds of a single run, and the 95 % interval of several runs', () => {
    expect(read(COMPLETED).write?.['rate-bytes-per-second']).toEqual({ value: 1_073_741_824 });
    const several = read(THREE_RUNS).write?.['rate-bytes-per-second'];
    expect(several?.value).toBeCloseTo(1.096_961e9, -3);
    expect(several?.lower_value).toBeCloseTo(0.696_83e9, -4);
    expect(several?.upper_value).toBeCloseTo(1.726_86e9, -5);
  });

  test('gets different names for several directories, and no incomplete run', () => {
    const names = Object.keys(read(COMPLETED, ELSEWHERE));
    expect(names.slice(0, 3)).toEqual(['write', 'read', 'iops'].map((name) => `goldhost /mnt/disk: ${name}`));
    expect(names).toHaveLength(6);
    expect(read({ ...COMPLETED, runs: [STOPPED_RUN] })).toEqual({});
  });
});

describe('github-action-benchmark', () => {
  /** Schema that it accepts for customBiggerIsBetter and customSmallerIsBetter. */
  const benchmarks = z.array(
    z.strictObject({
      name: z.string().min(1),
      unit: z.string().min(1),
      value: z.number(),
      range: z.string().optional(),
      extra: z.string().optional(),
    }),
  );
  const read = (better: 'higher' | 'lower', ...reports: readonly Report[]) =>
    benchmarks.parse(readLine(githubBenchmark(better)(reports.map(toResults))));
  const readNames = (...reports: readonly Report[]) => read('higher', ...reports).map(({ name }) => name);

  test('gets throughput and latency as separate arrays', () => {
    expect(read('higher', COMPLETED).map(({ name, value, unit }) => [name, value, unit])).toEqual([
      ['write', 1073.74, 'MB/s'],
      ['read', 2147.48, 'MB/s'],
      ['iops', 20_000, 'ops/s'],
    ]);
    expect(read('lower', COMPLETED).map(({ name, value, unit }) => [name, value, unit])).toEqual(
      ['write', 'read', 'iops'].flatMap((phase) => [
        [`${phase}.p50`, 59.904, 'µs'],
        [`${phase}.p99`, 59.904, 'µs'],
        [`${phase}.max`, 121, 'µs'],
      ]),
    );
  });

  test('gets no range of a single run, and the 95 % interval of several runs', () => {
    const write = { name: 'write', unit: 'MB/s' };
    const extra = 'Sequential Write: rate\n1 run\n/mnt/disk';
    expect(read('higher', COMPLETED)[0]).toEqual({ ...write, value: 1073.74, extra });
    expect(read('higher', THREE_RUNS)[0]).toEqual({
      ...write,
      value: 1096.96,
      range: '696.83 to 1726.85',
      extra: 'Sequential Write: rate\n3 runs, 1000 to 1200 MB/s\n/mnt/disk',
    });
  });

  test('gets names without host and directory, so a chart continues, unless there are several', () => {
    expect(readNames(ELSEWHERE)).toEqual(readNames(COMPLETED));
    const names = readNames(COMPLETED, ELSEWHERE);
    expect(names).toEqual(expect.arrayContaining(['goldhost /mnt/disk: write', 'runner-7 /tmp: write']));
    expect(new Set(names).size).toBe(names.length);
  });

  test('gets no incomplete run', () => {
    const stopped = { ...COMPLETED, runs: [runWith(), STOPPED_RUN] };
    expect(read('higher', stopped)).toEqual(read('higher', COMPLETED));
    expect(read('higher', { ...COMPLETED, runs: [STOPPED_RUN] })).toEqual([]);
  });
});
