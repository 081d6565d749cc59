import { expect, test } from 'vitest';
import { mergeRanks, type RankMeasurement } from '../../src/report/measure/merge-ranks.js';
import type { Measurement } from '../../src/report/schema/report.js';
import { findJobWarnings, measurementContext } from '../../src/warnings/run-warnings.js';
import { measurementWith, reportWith, runWith } from '../support/data/fixtures.js';

/** A phase that --stonewall stopped. */
function stoppedAt(writtenBytes: number, step = 'write'): Measurement {
  return measurementWith({ step, writtenBytes });
}

function dataBytesWith(
  measurements: readonly Measurement[],
  hosts: readonly number[] = [],
  phase = 'read',
): number {
  const { options } = reportWith();
  const job = {
    ranks: hosts.reduce((sum, ranks) => sum + ranks, 0),
    hosts: hosts.map((ranks, at) => ({ name: `h${at}`, ranks, cores: 4, memoryBytes: 1e9 })),
  };
  const report = reportWith({
    options: { ...options, sizeBytes: 8000 },
    runs: [runWith({ measurements: [...measurements] })],
    ...(hosts.length > 0 && { job }),
  });
  return measurementContext(report, { step: phase, phase, direct: false }).dataBytes;
}

test('the data size is the amount that the host with the most ranks has written', () => {
  expect(dataBytesWith([measurementWith()])).toBe(8000);
  expect(dataBytesWith([measurementWith()], [1, 3])).toBe(24_000);
});

test('with --stonewall the data size is the amount written before it stopped the phase', () => {
  expect(dataBytesWith([stoppedAt(1000), stoppedAt(10, 'rewrite')])).toBe(1000);
  expect(dataBytesWith([stoppedAt(1000)], [1, 3])).toBe(750);
});

test('the data size covers only the data that the phase uses: small files, or the part that putc wrote', () => {
  const putc = measurementWith({ step: 'putc', writtenBytes: 100 });
  const create = measurementWith({ step: 'create', writtenBytes: 20 });
  const getc = measurementWith({ step: 'getc' });
  const stat = measurementWith({ step: 'stat' });
  const measured = [putc, getc, measurementWith(), create, stat];
  const bytes = (phase: string) => dataBytesWith(measured, [], phase);
  expect(['getc', 'read', 'stat'].map(bytes)).toEqual([100, 8000, 20]);
});

test.each([
  ['write', [true, true]],
  ['iops', [true, true]],
  ['putc', [true, false]],
  ['create', [false, true]],
])(
  'the clock stops after a sync of the data of %s by default and with --no-fsync --fsync-per-write: %j',
  (phase, synced) => {
    const { options } = reportWith();
    const isSynced = (flags: object) =>
      measurementContext(reportWith({ options: { ...options, ...flags } }), {
        step: phase,
        phase,
        direct: false,
      }).isSynced;
    expect([isSynced({}), isSynced({ fsync: false, fsyncPerWrite: true })]).toEqual(synced);
  },
);

test("a container's memory limit does not apply to the caches of FUSE programs and servers", () => {
  const report = reportWith();
  const machine = { ...report.machine, memoryBytes: 64, memoryLimitBytes: 1 };
  const findMemoryBytes = (filesystem: string) =>
    measurementContext(
      { ...report, machine, target: { ...report.target, filesystem } },
      { step: 'read', phase: 'read', direct: false },
    ).memoryBytes;
  expect(['ext4', 'fuse', 'nfs4'].map(findMemoryBytes)).toEqual([1, 64, 64]);
});

/** Reads of which the device served these shares, one share for each host. */
function hostsWith(...shares: readonly number[]): readonly [RankMeasurement, ...RankMeasurement[]] {
  const [first, ...others] = shares.map((share, at) => ({
    rank: at,
    host: `h${at}`,
    startOffsetSeconds: 0,
    startOffsetErrorSeconds: 0,
    measurement: measurementWith({
      step: 'read',
      title: 'Sequential Read',
      bytes: 1000,
      readBytes: 1000,
      writtenBytes: 0,
      device: { readBytes: share * 1000, writtenBytes: 0, dirtyBytes: 0, share, reason: null },
    }),
  }));
  if (!first) throw new Error('no host');
  return [first, ...others];
}

function messagesFor(...shares: readonly number[]): readonly string[] {
  const parts = hostsWith(...shares);
  return findJobWarnings(mergeRanks(parts), parts, reportWith()).map(({ message }) => message);
}

test('a warning about all hosts appears once, with the result of all hosts', () => {
  expect(messagesFor(0.1, 0.3)).toEqual([
    'only 20.0 % was read from the device; the rest came from the page cache',
  ]);
});

test('a warning about some hosts names them, with their result', () => {
  expect(messagesFor(1, 0.1, 1)).toEqual([
    'on h1: only 10.0 % was read from the device; the rest came from the page cache',
  ]);
  expect(messagesFor(1, 0.1, 0.3, 1)).toEqual([
    'on h1, h2: only 20.0 % was read from the device; the rest came from the page cache',
  ]);
});

test('a warning about many hosts names three of them and counts the rest', () => {
  expect(messagesFor(0.2, 0.2, 0.2, 0.2, 0.2, 1)[0]).toMatch(/^on h0, h1, h2 and 2 other hosts: /);
});

test('a run of one process has the warnings of its measurement', () => {
  const [{ measurement }] = hostsWith(0.1);
  expect(findJobWarnings(measurement, [], reportWith())).toHaveLength(1);
});
