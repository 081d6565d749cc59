import { beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { bencherJson } from '../../../src/format/data/bencher.js';
import { toResults } from '../../../src/report/report-to-results.js';
import type { Report } from '../../../src/report/schema/report.js';
import { measurementWith, runsAt, runWith } from '../../support/data/fixtures.js';
import { pipeThrough } from '../../support/programs/pipe-through.js';
import { requireTools } from '../../support/tools.js';
import { COMPLETED } from '../reports.js';

beforeEach(requireTools('jq'));

/** Schema of Bencher Metric Format, with its length limits. */
const metrics = z.record(
  z
    .string()
    .min(1)
    .refine((name) => [...name].length <= 1024),
  z.record(
    z
      .string()
      .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
      .max(64),
    z.strictObject({
      value: z.number(),
      lower_value: z.number().optional(),
      upper_value: z.number().optional(),
    }),
  ),
);

function readSource(text: string): z.infer<typeof metrics> {
  expect(text).toMatch(/^[^\n]+\n$/);
  return metrics.parse(JSON.parse(pipeThrough('jq', ['.'], text)));
}

const json = (...reports: readonly Report[]) => bencherJson(reports.map(toResults));

test('each phase is a benchmark, and its measures have Bencher’s names where Bencher has a name', () => {
  expect(readSource(json(COMPLETED))).toMatchObject({
    write: {
      'rate-bytes-per-second': { value: 858_993_459.2 },
      latency: { value: 59_600 },
      'latency-p50-nanoseconds': { value: 59_904 },
      'latency-p99-nanoseconds': { value: 59_904 },
      'latency-max-nanoseconds': { value: 121_000 },
    },
    iops: { throughput: { value: 20_000 }, latency: { value: 59_600 } },
  });
});

test('a single run has no bounds; several runs have the bounds of the 95 % interval', () => {
  expect(readSource(json(COMPLETED)).write?.['rate-bytes-per-second']).toEqual({ value: 858_993_459.2 });
  const {
    value,
    lower_value = 0,
    upper_value = 0,
  } = readSource(json({ ...COMPLETED, runs: runsAt(1e9, 1.1e9, 1.2e9) })).write?.['rate-bytes-per-second'] ??
  {};
  expect(value).toBe(1.1e9);
  expect(lower_value).toBeCloseTo(0.851_586e9, -3);
  expect(upper_value).toBeCloseTo(1.348_414e9, -3);
});

test('benchmarks of several directories have different names', () => {
  const elsewhere = { ...COMPLETED, target: { ...COMPLETED.target, directory: '/tmp' } };
  const names = Object.keys(readSource(json(COMPLETED, elsewhere)));
  expect(names.slice(0, 3)).toEqual(['write', 'read', 'iops'].map((name) => `goldhost /mnt/disk: ${name}`));
  expect(names).toHaveLength(6);
});

test('an incomplete run is omitted', () => {
  const stopped = runWith({ state: 'incomplete', measurements: [measurementWith()] });
  expect(json({ ...COMPLETED, runs: [stopped] })).toBe('{}\n');
});
