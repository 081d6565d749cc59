import { expect, test } from 'vitest';
import { paired } from '../../src/compare/paired.js';
import { welch } from '../../src/compare/welch.js';

test('what disturbs both of a pair alike does not hide the difference between them', () => {
  const before = [100, 20, 70, 45, 90];
  const after = before.map((value, at) => value + 5 + (at % 2));
  expect(welch(before, after, 0.95)?.probability).toBeGreaterThan(0.7);
  const result = paired(before, after, 0.95);
  expect(result?.difference).toBeCloseTo(5.4, 9);
  expect(result?.probability).toBeLessThan(0.001);
  // The deviation of the differences is sqrt(0.3), and t is 2.7764.
  const reach = 2.7764 * Math.sqrt(0.3 / 5);
  expect(result?.interval.low).toBeCloseTo(5.4 - reach, 4);
  expect(result?.interval.high).toBeCloseTo(5.4 + reach, 4);
});

test.each([
  [
    [1, 2, 3],
    [1, 2],
  ],
  [[1], [2]],
  [[], []],
])('%j and %j are no pairs to tell noise by', (before, after) => {
  expect(paired(before, after, 0.95)).toBeNull();
});

test('pairs that are all as far apart leave no doubt, and pairs of equals no difference', () => {
  expect(paired([1, 5, 9], [2, 6, 10], 0.95)).toEqual({
    difference: 1,
    interval: { low: 1, high: 1 },
    probability: 0,
  });
  expect(paired([1, 5], [1, 5], 0.95)).toEqual({
    difference: 0,
    interval: { low: 0, high: 0 },
    probability: 1,
  });
});
