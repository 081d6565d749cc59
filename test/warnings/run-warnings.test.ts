import { expect, test } from 'vitest';
import { mergeRanks, type RankMeasurement } from '../../src/report/measure/merge-ranks.js';
import { measurementContext } from '../../src/warnings/measurement-context.js';
import { findJobWarnings } from '../../src/warnings/run-warnings.js';
import { measurementWith, reportWith } from '../support/data/fixtures.js';
import { stepsReport } from '../support/data/step-reports.js';

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

test.each([
  ['commit-etcd', []],
  ['random', ['device-contention']],
] as const)('beside %s, the writes of the journal are %j', (phase, codes) => {
  const facts = { otherIo: { readBytes: 0, writtenBytes: 500e6 } };
  const report = stepsReport([
    { step: { name: 'foreground', phase }, rates: [1e6] },
    { step: { name: 'writer', phase: 'write', beside: 'foreground' }, rates: [1e6], facts },
  ]);
  const [measurement] = report.runs[0]?.measurements.slice(1) ?? [];
  if (!measurement) throw new Error('the writer has no result');
  expect(findJobWarnings(measurement, [], report).map(({ code }) => code)).toEqual(codes);
});
