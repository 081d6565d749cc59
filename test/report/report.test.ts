import { expect, test } from 'vitest';
import { z } from 'zod';
import { draft } from '../../src/report/draft.js';
import { type Outcome, outcomeSchema, type Report, reportSchema } from '../../src/report/report.js';
import { GIB } from '../../src/units.js';
import { version } from '../../src/version.js';
import { measurementWith, planWith, reportWith, runWith, STARTED_AT } from '../fixtures.js';

const whole = reportWith({
  runs: [runWith(), runWith({ state: 'incomplete', measurements: [measurementWith()] })],
  warnings: [{ code: 'size-cut', message: 'it does not fit', hint: 'free some space' }],
});

test('the schema takes a whole report, and knows everything that is in it', () => {
  expect(reportSchema.parse(whole)).toEqual(whole);
});

test('a report survives JSON', () => {
  expect(reportSchema.parse(JSON.parse(JSON.stringify(whole)))).toEqual(whole);
});

test.each<[string, Partial<Record<keyof Report, unknown>>]>([
  ['another schema', { schema: 'gobonnie/2' }],
  ['a local time', { startedAt: '2018-04-12T06:46:00-07:00' }],
  [
    'a rate that is no number',
    { runs: [runWith({ measurements: [measurementWith({ bytesPerSecond: Number.NaN })] })] },
  ],
  ['an endless rate', { runs: [runWith({ measurements: [measurementWith({ bytesPerSecond: Infinity })] })] }],
  ['half a byte', { runs: [runWith({ measurements: [measurementWith({ bytes: 0.5 })] })] }],
  ['an outcome without a state', { outcome: {} }],
  ['a failure without a hint', { outcome: { state: 'failed', code: 'phase-failed', message: 'EIO' } }],
])('the schema refuses %s', (_, facts) => {
  expect(reportSchema.safeParse({ ...whole, ...facts }).success).toBe(false);
});

test.each<Outcome>([
  { state: 'completed' },
  { state: 'aborted', reason: 'SIGINT' },
  { state: 'failed', code: 'phase-failed', message: 'read failed', hint: 'look at the system log' },
])('a run may end as $state', (outcome) => {
  expect(outcomeSchema.parse(outcome)).toEqual(outcome);
});

test('the schema can be published as JSON Schema', () => {
  expect(z.toJSONSchema(reportSchema)).toMatchObject({
    type: 'object',
    properties: { schema: { const: 'gobonnie/1' } },
  });
});

test('a draft says what was asked for, on what machine, and has nothing measured', () => {
  const plan = planWith({ size: 0.3, threads: 2, runs: 3, seconds: 60, iopsDuration: 1, ioSize: '4k' });
  expect(draft(plan, new Date(STARTED_AT))).toEqual({
    schema: 'gobonnie/1',
    version,
    startedAt: STARTED_AT,
    options: {
      threads: 2,
      sizeGib: 0.3,
      sizeBytes: Math.floor((0.3 * GIB) / 65_536) * 65_536,
      runs: 3,
      minimumSeconds: 60,
      iopsDurationSeconds: 1,
      blockSizeBytes: 65_536,
      ioSizeBytes: 4096,
      seed: 42,
    },
    machine: {
      platform: 'linux',
      nodeVersion: 'v20.19.0',
      cores: 4,
      memoryBytes: 16 * GIB,
      memoryLimitBytes: 16 * GIB,
    },
    target: {
      directory: '/mnt/disk',
      scratchDirectory: '/mnt/disk',
      filesystem: 'ext4',
      mount: '/mnt',
      device: '/dev/vda',
      totalBytes: 1000 * GIB,
      availableBytes: 500 * GIB,
    },
    runs: [],
    warnings: [],
    outcome: { state: 'completed' },
  });
});

test('a size that was not asked for is told as what it came to', () => {
  const { options } = draft(planWith({}, { memoryLimitBytes: 3 * GIB }), new Date(STARTED_AT));
  expect(options).toMatchObject({ sizeGib: 6, sizeBytes: 6 * GIB });
});
