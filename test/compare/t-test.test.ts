import { expect, test } from 'vitest';
import { paired, welch } from '../../src/compare/t-test.js';
import { seededRandom } from '../support/data/seeded-random.js';

/** Returns normally distributed values. */
function noise(
  random: ReturnType<typeof seededRandom>,
  count: number,
  mean: number,
  deviation: number,
): number[] {
  // The sum of twelve uniform values is close enough to the normal distribution.
  const one = () =>
    Array.from({ length: 12 }, () => random.between(1, Math.E)).reduce((sum, x) => sum + Math.log(x), -6);
  return Array.from({ length: count }, () => mean + deviation * one());
}

test("Welch's test matches a worked example with different variances and sizes", () => {
  // Means 11 and 14, variances of the means 1 / 3 and 4 / 5: t = 3 / sqrt(17 / 15), df = (17 / 15)^2 / (1 / 18 + 4 / 25) = 5.96.
  const result = welch([10, 11, 12], [12, 12, 14, 16, 16], 0.95);
  expect(result?.pValue).toBeCloseTo(0.0311, 3);
  const margin = (result?.interval.high ?? 0) - 3;
  expect(3 - (result?.interval.low ?? 0)).toBeCloseTo(margin, 12);
  expect(margin / Math.sqrt(17 / 15)).toBeCloseTo(2.449, 2);
});

test('a single value from the same distribution is significantly different in one case of twenty', () => {
  const random = seededRandom(20261122);
  const times = 4000;
  const different = Array.from({ length: times }, () =>
    welch(noise(random, 5, 100, 5), noise(random, 1, 100, 5), 0.95),
  ).filter((result) => (result?.pValue ?? 1) < 0.05);
  expect(different.length / times).toBeGreaterThan(0.035);
  expect(different.length / times).toBeLessThan(0.065);
});

test('without noise every difference is certain', () => {
  expect(welch([5, 5], [5, 5, 5], 0.95)).toEqual({ interval: { low: 0, high: 0 }, pValue: 1 });
  expect(welch([5, 5], [6, 6], 0.95)).toEqual({ interval: { low: 1, high: 1 }, pValue: 0 });
});

test('a disturbance of both values of a pair does not hide their difference', () => {
  const before = [100, 20, 70, 45, 90];
  const after = before.map((value, at) => value + 5 + (at % 2));
  expect(welch(before, after, 0.95)?.pValue).toBeGreaterThan(0.7);
  const result = paired(before, after, 0.95);
  expect(result?.pValue).toBeLessThan(0.001);
  // The deviation of the differences is sqrt(0.3), and t is 2.7764.
  const margin = 2.7764 * Math.sqrt(0.3 / 5);
  expect(result?.interval.low).toBeCloseTo(5.4 - margin, 4);
  expect(result?.interval.high).toBeCloseTo(5.4 + margin, 4);
});

test.each([
  [
    [1, 2, 3],
    [1, 2],
  ],
  [[1], [2]],
  [[], []],
])('%j and %j cannot be tested as pairs', (before, after) => {
  expect(paired(before, after, 0.95)).toBeNull();
});

test('pairs with a constant difference are certain, and equal pairs have no difference', () => {
  expect(paired([1, 5, 9], [2, 6, 10], 0.95)).toEqual({ interval: { low: 1, high: 1 }, pValue: 0 });
  expect(paired([1, 5], [1, 5], 0.95)).toEqual({ interval: { low: 0, high: 0 }, pValue: 1 });
});
