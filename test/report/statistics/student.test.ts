import { expect, test } from 'vitest';
import { studentT, twoSidedTail } from '../../../src/report/statistics/student.js';

/** twoSidedTail by numeric integration: with t = tan(angle) * sqrt(df), the density is a power of the cosine. */
function shareByTrapezes(t: number, degreesOfFreedom: number): number {
  const areaTo = (end: number) => {
    const steps = 200_000;
    const width = end / steps;
    const heightAt = (angle: number) => Math.max(0, Math.cos(angle)) ** (degreesOfFreedom - 1);
    let area = (heightAt(0) + heightAt(end)) / 2;
    for (let step = 1; step < steps; step++) area += heightAt(step * width);
    return area * width;
  };
  return 1 - areaTo(Math.atan(t / Math.sqrt(degreesOfFreedom))) / areaTo(Math.PI / 2);
}

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

test.each([
  [0.3, 2.5],
  [1, 3.7],
  [2.2, 5.25],
  [4, 8.9],
  [1.5, 41.3],
  [3, 1.6],
])('the share beyond t = %f with %f degrees of freedom agrees with numeric integration', (t, degrees) => {
  expect(twoSidedTail(t, degrees)).toBeCloseTo(shareByTrapezes(t, degrees), 4);
});

test('the share beyond 0 is 1, and the share beyond an overflowing t is 0', () => {
  expect(twoSidedTail(0, 3)).toBe(1);
  expect(twoSidedTail(1e-12, 3)).toBeCloseTo(1, 9);
  expect(twoSidedTail(1e200, 3)).toBe(0);
  expect(twoSidedTail(Number.POSITIVE_INFINITY, 3)).toBe(0);
  expect(twoSidedTail(1e6, 8)).toBeGreaterThan(0);
});

test('twoSidedTail inverts studentT', () => {
  for (const degrees of [1, 1.5, 2, 3.3, 7, 19.9, 200])
    for (const confidence of [0.5, 0.9, 0.95, 0.9833, 0.999])
      expect(1 - twoSidedTail(studentT(confidence, degrees), degrees)).toBeCloseTo(confidence, 9);
});
