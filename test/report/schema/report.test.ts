import { expect, test } from 'vitest';
import { type Measurement, type Report, reportSchema } from '../../../src/report/schema/report.js';
import { computeRunStatistics } from '../../../src/report/statistics/step-statistics.js';
import { emptyReport } from '../../../src/run/empty-report.js';
import { GIB } from '../../../src/text/units.js';
import { version } from '../../../src/version.js';
import { measurementWith, planWith, reportWith, runWith, STARTED_AT } from '../../support/data/fixtures.js';

const whole = reportWith({
  runs: [runWith(), runWith({ state: 'incomplete', measurements: [measurementWith()] })],
  statistics: computeRunStatistics([runWith(), runWith()]),
  warnings: [{ code: 'size-reduced', step: null, message: 'it does not fit', hint: 'free some space' }],
});

test('the schema accepts a whole report, drops none of its keys, and accepts it again from JSON', () => {
  expect(reportSchema.parse(whole)).toEqual(whole);
  expect(reportSchema.parse(JSON.parse(JSON.stringify(whole)))).toEqual(whole);
});

/** Parts of a report with one measurement. */
const measuring = (facts: Partial<Measurement>) => ({
  runs: [runWith({ measurements: [measurementWith(facts)] })],
});

test.each<[string, Partial<Record<keyof Report, unknown>>]>([
  ['another schema', { schema: 'gobonnie/2' }],
  ['a local time', { startedAt: '2018-04-12T06:46:00-07:00' }],
  ['a rate of NaN', measuring({ bytesPerSecond: Number.NaN })],
  ['a rate whose statistics could overflow', measuring({ bytesPerSecond: 1e308 })],
  ['half a byte', measuring({ bytes: 0.5 })],
  ['a device share above 1', measuring({ device: { ...measurementWith().device, share: 1.01 } })],
  ['a warning without a phase', { warnings: [{ code: 'cliff', message: '', hint: '' }] }],
  ['a failure without a hint', { outcome: { state: 'failed', code: 'phase-failed', message: 'EIO' } }],
])('the schema rejects %s', (_, facts) => {
  expect(reportSchema.safeParse({ ...whole, ...facts }).success).toBe(false);
});

test('an empty report has the planned sizes and the options, and no measurements', () => {
  const plan = planWith({
    size: 0.3,
    threads: 2,
    runs: 3,
    seconds: 60,
    untilStable: 5,
    maxRuns: 7,
    iopsDuration: 1,
    ioSize: '4000',
    direct: true,
    noFsync: false,
    compressible: 50,
    phases: 'putc,getc,create',
    seeks: 100,
    seekThreads: 3,
    byteSize: '1m',
    files: 10,
    fileKind: 'symlinks',
    fileSize: 9,
    fileMinSize: 2,
    fileBlockSize: '4k',
    directories: 4,
    label: 'the disk',
  });
  expect(emptyReport(plan, new Date(STARTED_AT))).toMatchObject({
    schema: 'gobonnie/1',
    version,
    startedAt: STARTED_AT,
    label: 'the disk',
    options: {
      threads: 2,
      runs: 3,
      minimumSeconds: 60,
      untilStablePercent: 5,
      maxRuns: 7,
      iopsDurationSeconds: 1,
      sizeGib: 0.3,
      sizeBytes: Math.floor((0.3 * GIB) / 65_536) * 65_536,
      blockSizeBytes: 65_536,
      ioSizeBytes: 4096,
      seed: 42,
      direct: true,
      fsync: true,
      compressiblePercent: 50,
      phases: ['putc', 'getc', 'create'],
      seeks: 100,
      seekThreads: 3,
      perByteBytes: 1024 ** 2,
      files: { count: 10, kind: 'symlinks', minBytes: 2, maxBytes: 9, blockBytes: 4096, directories: 4 },
    },
    cache: { requested: 'auto', applied: 'keep', reason: null },
    runs: [],
    statistics: [],
    warnings: [],
    outcome: { state: 'running' },
  });
});
