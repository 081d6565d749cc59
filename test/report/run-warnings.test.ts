import { expect, test } from 'vitest';
import { measurementContext } from '../../src/report/run-warnings.js';
import type { Measurement } from '../../src/report/schema/report.js';
import { measurementWith, reportWith, runWith, stonewallWith } from '../support/data/fixtures.js';

/** What was written until the end of a phase that was cut. */
function cutAt(writtenBytes: number, phase = 'write'): Measurement {
  return measurementWith({ phase, writtenBytes, stonewall: stonewallWith() });
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
    ...{ options: { ...options, sizeBytes: 8000 }, runs: [runWith({ measurements: [...measurements] })] },
    ...(hosts.length > 0 && { job }),
  });
  return measurementContext(report, phase).dataBytes;
}

test('memory is compared with the data that the host with the most ranks has written', () => {
  expect(dataBytesWith([measurementWith()])).toBe(8000);
  expect(dataBytesWith([measurementWith()], [1, 3])).toBe(24_000);
});

test('with --stonewall it is compared with what was written before the cut', () => {
  expect(dataBytesWith([cutAt(1000), cutAt(10, 'rewrite')])).toBe(1000);
  expect(dataBytesWith([cutAt(1000)], [1, 3])).toBe(750);
});

test('it is compared with what the phase uses: small files, or the part that putc wrote', () => {
  const [putc, create] = [
    measurementWith({ phase: 'putc', writtenBytes: 100 }),
    measurementWith({ phase: 'create', writtenBytes: 20 }),
  ];
  const [getc, stat] = [measurementWith({ phase: 'getc' }), measurementWith({ phase: 'stat' })];
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
  'the data of %s is synced before the clock stops with --fsync, with --fsync-per-write: %j',
  (phase, synced) => {
    const { options } = reportWith();
    const isSynced = (flags: object) =>
      measurementContext(reportWith({ options: { ...options, ...flags } }), phase).isSynced;
    expect([isSynced({ fsync: true }), isSynced({ fsyncPerWrite: true })]).toEqual(synced);
  },
);

test('the limit of a container is not for what a program or a server keeps in memory', () => {
  const report = reportWith();
  const machine = { ...report.machine, memoryBytes: 64, memoryLimitBytes: 1 };
  const memoryOf = (filesystem: string) =>
    measurementContext({ ...report, machine, target: { ...report.target, filesystem } }, 'read').memoryBytes;
  expect(['ext4', 'fuse', 'nfs4'].map(memoryOf)).toEqual([1, 64, 64]);
});
