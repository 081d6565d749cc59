import { expect, test } from 'vitest';
import { studentT, twoSidedTail } from '../../../src/report/statistics/student.js';

test.each([
  [0.9, 1, 6.3138],
  [0.95, 1, 12.7062],
  [0.99, 1, 63.6567],
  [0.999, 1, 636.6193],
  [0.9, 4, 2.1318],
  [0.99, 4, 4.6041],
  [0.95, 8, 2.306],
  [0.999, 8, 5.0413],
  [0.95, 30, 2.0423],
  [0.99, 120, 2.6174],
  [0.95, 1_000_000, 1.96],
])(
  'at a confidence of %f with %i degrees of freedom, t matches the printed tables: %f',
  (confidence, degrees, t) => {
    expect(studentT(confidence, degrees)).toBeCloseTo(t, 3);
    expect(twoSidedTail(t, degrees)).toBeCloseTo(1 - confidence, 4);
  },
);

test('the share beyond 0 is 1, and the share beyond an overflowing t is 0', () => {
  expect(twoSidedTail(0, 3)).toBe(1);
  expect(twoSidedTail(1e-12, 3)).toBeCloseTo(1, 9);
  expect(twoSidedTail(1e200, 3)).toBe(0);
  expect(twoSidedTail(Number.POSITIVE_INFINITY, 3)).toBe(0);
  expect(twoSidedTail(1e6, 8)).toBeGreaterThan(0);
});
