import { describe, expect, test } from 'vitest';
import { compareSides } from '../../src/compare/comparison.js';
import { toComparisonSide } from '../../src/compare/side.js';
import { toResults } from '../../src/report/results.js';
import { measurementWith, reportWith, runWith } from '../support/data/fixtures.js';
import { foreignRunWith, kib, perSecond } from '../support/data/foreign-runs.js';

const report = reportWith({
  runs: [
    runWith(),
    runWith({ measurements: [measurementWith({ bytesPerSecond: 5, latencyNs: null })] }),
    runWith({ state: 'incomplete', measurements: [measurementWith({ bytesPerSecond: 6 })] }),
  ],
});

function findValues(side: ReturnType<typeof toComparisonSide>, metric: string) {
  return side.samples.find(({ name }) => name === metric)?.values;
}

describe('a report', () => {
  const side = toComparisonSide('a.json', [toResults(report)]);

  test('has every metric of every phase, with a value for each complete run that has the metric', () => {
    expect(findValues(side, 'write')).toEqual([1_073_741_824, 5]);
    expect(findValues(side, 'write.p99')).toEqual([59_904]);
    expect(findValues(side, 'iops')).toEqual([20_000]);
    const facts = { unit: 'operationsPerSecond', better: 'higher', role: 'gating' };
    expect(side.samples.find(({ name }) => name === 'iops')).toMatchObject(facts);
  });

  test('has no sample of a metric that no run has, or that comparisons omit', () => {
    expect(findValues(side, 'write.bytes')).toBeUndefined();
  });
});

test('runs of other programs have rates and longest latencies, but no %CPU', () => {
  const runs = [
    foreignRunWith({ values: { write: kib(1000, 50, 7_000_000), seeks: perSecond(80, 1) } }),
    foreignRunWith({ values: { write: kib(2000, 50) } }),
  ];
  const side = toComparisonSide('old.csv', [{ report: null, runs }]);
  expect(side.samples.map(({ name, unit, values: all }) => [name, unit, all])).toEqual([
    ['write', 'bytesPerSecond', [1_024_000, 2_048_000]],
    ['write.max', 'nanoseconds', [7_000_000]],
    ['seeks', 'operationsPerSecond', [80]],
  ]);
  expect(side.properties).toHaveLength(2);
});

test.each(['first', 'last'])(
  'a side has only timed rates if its %s document has only timed rates',
  (place) => {
    const foreign = { report: null, runs: [foreignRunWith({ values: { write: kib(1000, 50) } })] };
    const documents = [toResults(report), foreign];
    const { timedOnlyReason } = toComparisonSide('both', place === 'first' ? documents.reverse() : documents);
    expect(timedOnlyReason).toBe('that program does not report cache hits');
  },
);

test("another program's only rate is compared with the timed rate of a report", () => {
  const run = foreignRunWith({ values: { write: { rate: 1_073_741_824 } } });
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
