import { describe, expect, test } from 'vitest';
import { compareSides } from '../../src/compare/comparison.js';
import { toComparisonSide } from '../../src/compare/side.js';
import { toResults } from '../../src/report/report-to-results.js';
import { gobonnieErrorWith, measurementWith, reportWith, runWith } from '../support/data/fixtures.js';
import { foreignRunWith, kib, perSecond } from '../support/data/foreign-runs.js';

const report = reportWith({
  runs: [
    runWith(),
    runWith({ measurements: [measurementWith({ bytesPerSecond: 5, latencyNs: null })] }),
    runWith({ state: 'incomplete', measurements: [measurementWith({ bytesPerSecond: 6 })] }),
  ],
});

function values(subject: ReturnType<typeof toComparisonSide>, wanted: string) {
  return subject.samples.find(({ name }) => name === wanted)?.values;
}

describe('a report', () => {
  const subject = toComparisonSide('a.json', [toResults(report)]);

  test('has every metric of every phase, with a value for each complete run that knows it', () => {
    expect(values(subject, 'write')).toEqual([858_993_459.2, 5]);
    expect(values(subject, 'write.p99')).toEqual([59_904]);
    expect(values(subject, 'iops')).toEqual([20_000]);
    expect(subject.samples.find(({ name }) => name === 'iops')).toMatchObject({
      unit: 'operationsPerSecond',
      better: 'higher',
      role: 'gating',
    });
  });

  test('has no sample of a metric that no run has, or that comparisons leave out', () => {
    expect(values(subject, 'read.durable')).toBeUndefined();
    expect(values(subject, 'write.bytes')).toBeUndefined();
  });

  test('without a complete run is refused', () => {
    const stopped = toResults(reportWith());
    expect(() => toComparisonSide('a.json', [stopped])).toThrow(
      gobonnieErrorWith('input-unreadable', 'a.json holds no complete run; use a report of a complete run'),
    );
  });
});

test('runs of other programs have their rates and their longest latencies, and never their %CPU', () => {
  const runs = [
    foreignRunWith({ figures: { write: kib(1000, 50, 7_000_000), seeks: perSecond(80, 1) } }),
    foreignRunWith({ figures: { write: kib(2000, 50) } }),
  ];
  const subject = toComparisonSide('old.csv', [{ report: null, runs }]);
  expect(subject.samples.map(({ name, unit, values: all }) => [name, unit, all])).toEqual([
    ['write', 'bytesPerSecond', [1_024_000, 2_048_000]],
    ['write.max', 'nanoseconds', [7_000_000]],
    ['seeks', 'operationsPerSecond', [80]],
  ]);
  expect(subject.properties).toHaveLength(2);
});

test.each(['first', 'last'])(
  'a subject has only timed rates if one of its documents has no others, here the %s',
  (place) => {
    const foreign = { report: null, runs: [foreignRunWith({ figures: { write: kib(1000, 50) } })] };
    const documents = [toResults(report), foreign];
    const { samples } = toComparisonSide('both', place === 'first' ? documents.reverse() : documents);
    expect(samples.find(({ name }) => name === 'write')).toMatchObject({ isOnlyTimed: true });
  },
);

test('the runs of several documents count together, each document with its facts', () => {
  const results = toResults(report);
  const once = toComparisonSide('a.json', [results]);
  const twice = toComparisonSide('b.json', [results, results]);
  expect(twice.name).toBe('b.json');
  expect(values(twice, 'write')).toEqual([858_993_459.2, 5, 858_993_459.2, 5]);
  expect(twice.properties).toEqual([...once.properties, ...once.properties]);
  expect(twice.samples).toHaveLength(once.samples.length);
});

test('of another program with one rate, the timed figure of a report is compared, and not the durable one', () => {
  const run = foreignRunWith({ figures: { write: { rate: 1_073_741_824 } } });
  const comparison = compareSides(
    toComparisonSide('old.json', [{ report: null, runs: [run] }]),
    toComparisonSide('a.json', [toResults(reportWith({ runs: [runWith()] }))]),
    { force: true },
  );
  expect(comparison.changes.find(({ name }) => name === 'write')).toMatchObject({ changePercent: 0 });
  expect(comparison.timedOnly).toEqual([
    { name: 'old.json', reason: 'that program does not report cache hits' },
  ]);
});
