import { expect, test } from 'vitest';
import { computeStatistics, minMax } from '../../../src/report/statistics/statistics.js';
import { studentT } from '../../../src/report/statistics/student-t.js';

test("the statistics of five values have the geometric mean, the sample deviation and an interval by Student's t", () => {
  const logs = [-0.2, 0.2, 0, -0.1, 0.1];
  const { confidence95, ...statistics } = computeStatistics(logs.map((one) => 12 * Math.exp(one)));
  expect(statistics).toEqual({
    runs: 5,
    mean: expect.closeTo(12, 9),
    standardDeviation: expect.closeTo(1.9115, 3),
    // Of the arithmetic mean, 12.12.
    coefficientOfVariation: expect.closeTo(0.1577, 3),
    min: 12 * Math.exp(-0.2),
    max: 12 * Math.exp(0.2),
  });
  // t is 2.7764 with four degrees of freedom.
  const margin = (2 * 2.7764 * Math.sqrt(0.025)) / Math.sqrt(5);
  expect(confidence95?.low).toBeCloseTo(12 * Math.exp(-margin), 3);
  expect(confidence95?.high).toBeCloseTo(12 * Math.exp(margin), 3);
});

test('equal values have an exact mean and a deviation of 0, even if their sum is inexact', () => {
  expect(computeStatistics([0.1, 0.1, 0.1])).toMatchObject({
    mean: 0.1,
    standardDeviation: 0,
    confidence95: { low: 0.1, high: 0.1 },
  });
});

test('a small deviation from a large mean keeps its precision', () => {
  const base = 1e15;
  expect(computeStatistics([base + 1, base + 2, base + 3])).toMatchObject({
    mean: expect.closeTo(base + 2, -1),
    standardDeviation: 1,
  });
});

test('a mean of 0 has no coefficient of variation, and its statistics survive JSON', () => {
  const statistics = computeStatistics([0, 0, 0]);
  expect(statistics).toMatchObject({ mean: 0, standardDeviation: 0, coefficientOfVariation: null });
  expect(JSON.parse(JSON.stringify(statistics))).toEqual(statistics);
});

test('minMax finds the minimum and the maximum of 200,000 values, too many for the arguments of a call', () => {
  const values = Array.from({ length: 200_000 }, (_, at) => at);
  expect(minMax(values)).toEqual({ min: 0, max: 199_999 });
});

test.each([
  [0.9, 1, 6.3138],
  [0.95, 1, 12.7062],
  [0.999, 1, 636.6193],
  [0.99, 4, 4.6041],
  [0.999, 8, 5.0413],
  [0.99, 120, 2.6174],
  [0.95, 1_000_000, 1.96],
])(
  'at a confidence of %f with %i degrees of freedom, t matches the printed tables: %f',
  (confidence, degrees, t) => {
    expect(studentT(confidence, degrees)).toBeCloseTo(t, 3);
  },
);
