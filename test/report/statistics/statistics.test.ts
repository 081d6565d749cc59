import { expect, test } from 'vitest';
import { isStable, statisticsOf } from '../../../src/report/statistics/statistics.js';

/** The t that the interval of so many degrees of freedom was made with. */
function tOf(degreesOfFreedom: number): number {
  const values = Array.from({ length: degreesOfFreedom + 1 }, (_, at) => at);
  const { mean, standardDeviation, confidence95 } = statisticsOf(values);
  return (((confidence95?.high ?? 0) - mean) * Math.sqrt(values.length)) / (standardDeviation ?? 0);
}

test('five values give their count, mean, deviation of the sample, interval and bounds', () => {
  const { confidence95, ...statistics } = statisticsOf([10, 14, 12, 11, 13]);
  expect(statistics).toEqual({
    runs: 5,
    mean: 12,
    standardDeviation: Math.sqrt(2.5),
    coefficientOfVariation: Math.sqrt(2.5) / 12,
    min: 10,
    max: 14,
  });
  expect(confidence95?.low).toBeCloseTo(12 - 1.96324, 4);
  expect(confidence95?.high).toBeCloseTo(12 + 1.96324, 4);
});

test.each([
  [1, 12.7062],
  [2, 4.3027],
  [3, 3.1824],
  [4, 2.7764],
  [5, 2.5706],
  [9, 2.2622],
  [10, 2.2281],
  [29, 2.0452],
  [30, 2.0423],
  [120, 1.9799],
  [1000, 1.9623],
])("the interval of %i degrees of freedom is made with Student's t of %f", (degreesOfFreedom, t) => {
  expect(Math.abs(tOf(degreesOfFreedom) - t)).toBeLessThan(1e-4);
});

test('the more values, the nearer t comes to that of the normal distribution, from above', () => {
  const all = [1, 2, 3, 4, 5, 50, 51, 500, 501, 5000].map(tOf);
  expect(all.toSorted((one, other) => other - one)).toEqual(all);
  expect(all.at(-1)).toBeGreaterThan(1.95996);
  expect(all.at(-1)).toBeLessThan(1.961);
});

test('a single value has a mean and nothing that tells of a spread', () => {
  expect(statisticsOf([7])).toEqual({
    runs: 1,
    mean: 7,
    standardDeviation: null,
    coefficientOfVariation: null,
    confidence95: null,
    min: 7,
    max: 7,
  });
});

test('equal values have exactly that mean and no spread, even those that do not add up exactly', () => {
  expect(statisticsOf([0.1, 0.1, 0.1])).toMatchObject({
    mean: 0.1,
    standardDeviation: 0,
    confidence95: { low: 0.1, high: 0.1 },
  });
});

test('a small spread about a large mean is not lost', () => {
  const base = 1e15;
  expect(statisticsOf([base + 1, base + 2, base + 3])).toMatchObject({
    mean: base + 2,
    standardDeviation: 1,
  });
});

test('a mean of 0 has no coefficient of variation, and what JSON holds is the same', () => {
  const statistics = statisticsOf([0, 0, 0]);
  expect(statistics).toMatchObject({ mean: 0, standardDeviation: 0, coefficientOfVariation: null });
  expect(JSON.parse(JSON.stringify(statistics))).toEqual(statistics);
});

test('the order of the values does not matter', () => {
  const values = [5, 1, 4, 2, 3];
  expect(statisticsOf(values)).toEqual(statisticsOf(values.toSorted()));
});

test('statistics of nothing are a bug', () => {
  expect(() => statisticsOf([])).toThrow('no values');
});

test('values are stable once the interval is as narrow as asked, to either side', () => {
  const values = [99, 100, 101];
  const halfPercent = 4.302653 / Math.sqrt(3);
  expect(isStable(values, halfPercent + 0.001)).toBe(true);
  expect(isStable(values, halfPercent - 0.001)).toBe(false);
});

test('values that spread as before become stable as there are more of them', () => {
  const values = [95, 100, 105];
  expect(isStable(values, 5)).toBe(false);
  expect(isStable([...values, ...values, ...values, ...values], 5)).toBe(true);
});

test.each([[[]], [[100]], [[100, 100]]])('fewer than three values are not stable: %j', (values) => {
  expect(isStable(values, 50)).toBe(false);
});

test('three equal values are stable, unless nothing was done', () => {
  expect(isStable([100, 100, 100], 0)).toBe(true);
  expect(isStable([0, 0, 0], 50)).toBe(false);
});
