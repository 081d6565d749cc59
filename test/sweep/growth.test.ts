import { expect, test } from 'vitest';
import { isPointNeeded } from '../../src/sweep/growth.js';
import { createReport, stepName } from './points.js';

test.each([
  ['nothing is measured yet', [], 1, true],
  ['fewer than three points are measured', [100, 50], 4, true],
  ['the rate grows', [100, 200, 400], 8, true],
  ['only the last point shows no growth', [100, 200, 201], 8, true],
  ['the last two points show no growth', [100, 200, 201, 202], 16, false],
  ['a slow point is followed by growth', [100, 200, 150, 400], 16, true],
  ['a lower point was left out', [100, 200, 201, 202], 32, false],
])(
  'in the first run, a point is measured until the rate stops growing: %s',
  (_, rates, threads, isNeeded) => {
    expect(isPointNeeded(stepName(threads), createReport(rates))).toBe(isNeeded);
  },
);

test('later runs measure the points of the first run, even if the rate no longer grows', () => {
  const report = createReport([100, 200, 201, 202]);
  const [first] = report.runs;
  const runs = first ? [first, { ...first, measurements: [] }] : [];
  const measured = [1, 2, 4, 8, 16, 32].filter((threads) =>
    isPointNeeded(stepName(threads), { ...report, runs }),
  );
  expect(measured).toEqual([1, 2, 4, 8]);
});
