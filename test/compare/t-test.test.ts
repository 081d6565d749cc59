import { expect, test } from 'vitest';
import { confidenceInterval, type MeanDifference, paired, welch } from '../../src/compare/t-test.js';
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

/** The interval with a confidence of 95 %. */
function intervalOf(result: MeanDifference | null) {
  if (result === null) throw new Error('the samples cannot be tested');
  return confidenceInterval(result, 0.95);
}

test("Welch's test matches a worked example with different variances and sizes", () => {
  // Means 11 and 14, variances of the means 1 / 3 and 4 / 5: t = 3 / sqrt(17 / 15), df = (17 / 15)^2 / (1 / 18 + 4 / 25) = 5.96.
  const result = welch([10, 11, 12], [12, 12, 14, 16, 16]);
  expect(result).toMatchObject({ difference: 3, standardError: expect.closeTo(Math.sqrt(17 / 15), 12) });
  expect(result?.degreesOfFreedom).toBeCloseTo(5.96, 2);
  const { low, high } = intervalOf(result);
  expect(3 - low).toBeCloseTo(high - 3, 12);
  expect((high - 3) / Math.sqrt(17 / 15)).toBeCloseTo(2.449, 2);
});

test('a single value from the same distribution is significantly different in one case of twenty', () => {
  const random = seededRandom(20261122);
  const times = 1000;
  const different = Array.from({ length: times }, () =>
    intervalOf(welch(noise(random, 5, 100, 5), noise(random, 1, 100, 5))),
  ).filter(({ low, high }) => low > 0 || high < 0);
  expect(different.length / times).toBeGreaterThan(0.035);
  expect(different.length / times).toBeLessThan(0.065);
});

test('without noise every difference is certain', () => {
  expect(intervalOf(welch([5, 5], [5, 5, 5]))).toEqual({ low: 0, high: 0 });
  expect(intervalOf(welch([5, 5], [6, 6]))).toEqual({ low: 1, high: 1 });
});

test('a disturbance of both values of a pair does not hide their difference', () => {
  const before = [100, 20, 70, 45, 90];
  const after = before.map((value, at) => value + 5 + (at % 2));
  expect(intervalOf(welch(before, after)).low).toBeLessThan(-20);
  const { low, high } = intervalOf(paired(before, after));
  // The deviation of the differences is sqrt(0.3), and t is 2.7764.
  const margin = 2.7764 * Math.sqrt(0.3 / 5);
  expect(low).toBeCloseTo(5.4 - margin, 4);
  expect(high).toBeCloseTo(5.4 + margin, 4);
});

test.each([
  [
    [1, 2, 3],
    [1, 2],
  ],
  [[1], [2]],
  [[], []],
])('%j and %j cannot be tested as pairs', (before, after) => {
  expect(paired(before, after)).toBeNull();
});

test('pairs with a constant difference are certain, and equal pairs have no difference', () => {
  expect(intervalOf(paired([1, 5, 9], [2, 6, 10]))).toEqual({ low: 1, high: 1 });
  expect(intervalOf(paired([1, 5], [1, 5]))).toEqual({ low: 0, high: 0 });
});
