import { expect, test } from 'vitest';
import { UNKNOWN_FACTS } from '../../src/sweep/quota.js';
import { analyzeSweep, findKnee, parseLatencyBound } from '../../src/sweep/sweep-result.js';
import { createCurve, createPoint } from './points.js';

test.each([
  [[100, 180, 300, 310], 4],
  [[100, 94, 96], 1],
  [[50, 96, 100, 40], 2],
  [[50, 94, 100], 4],
])('the knee of %j is at a depth of %i, the least within 5 %% of the best', (rates, depth) => {
  expect(findKnee(createCurve(rates))?.depth).toBe(depth);
});

test('a cached rate is no knee', () => {
  const cached = createPoint(4, 900_000, { isServedByDevice: false });
  expect(findKnee([createPoint(1, 100), createPoint(2, 190), cached])?.depth).toBe(2);
  expect(findKnee([cached])).toBeNull();
  expect(findKnee([createPoint(1, 0)])).toBeNull();
});

test.each([
  ['p99<2ms', 2],
  ['p99 <= 2 ms', 4],
  ['p99<100us', null],
])('%s is met up to a depth of %s', (condition, depth) => {
  const points = [1, 2, 4, 8].map((count) => createPoint(count, 100, { p99Ns: count * 500_000 }));
  expect(analyzeSweep(points, UNKNOWN_FACTS, parseLatencyBound(condition)).latency).toEqual({
    condition,
    depth,
  });
});

test.each(['p99', 'p99>2ms', 'p50<2ms', 'p99<2', 'p99<2MB', ''])('the latency %j is rejected', (text) => {
  expect(() => parseLatencyBound(text)).toThrow(/^invalid --latency .*: expected an upper bound of p99$/);
});

test.each([
  ['all operations are in flight', { meanNs: 7.5e6 }, { inFlight: 7.5, waitReason: null }],
  ['threads wait', { meanNs: 5e6 }, { inFlight: 5, waitReason: 'outside-io' }],
  ['threads wait for the CPU', { meanNs: 5e6, limitedBy: 'cpu' }, { inFlight: 5, waitReason: 'cpu' }],
  ['the latency is unknown', {}, { inFlight: null, waitReason: null }],
] as const)('at a depth of 8, the operations in flight are counted if %s', (_, changes, expected) => {
  expect(analyzeSweep([createPoint(8, 1000, changes)], UNKNOWN_FACTS).points).toMatchObject([expected]);
});

test('points of several I/O sizes are grouped, and the knee is of the first size', () => {
  const points = [
    ...createCurve([50, 100], { ioSizeBytes: 4096 }).toReversed(),
    ...createCurve([10, 10], { ioSizeBytes: 65_536 }),
  ];
  const result = analyzeSweep(points, UNKNOWN_FACTS);
  expect(result.points.map(({ operationsPerSecond }) => operationsPerSecond)).toEqual([50, 100, 10, 10]);
  expect(result.knee).toMatchObject({ depth: 2, operationsPerSecond: 100 });
});
