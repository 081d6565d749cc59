import { expect, test } from 'vitest';
import { downsample } from '../../../../src/format/page/drawing/curve.js';

test('a line with more points than pixels keeps its lowest and its highest point', () => {
  const points = Array.from(
    { length: 6000 },
    (_, at) => [at, at === 1234 ? 900 : at === 4321 ? -5 : 100] as const,
  );
  const few = downsample(points, 100);
  expect(few.length).toBeLessThanOrEqual(202);
  expect(few.map(([, y]) => y)).toEqual(expect.arrayContaining([900, -5, 100]));
  expect(few.map(([x]) => x)).toEqual(few.map(([x]) => x).toSorted((one, other) => one - other));
});

test('a line with few points is unchanged', () => {
  const points = [
    [0, 1],
    [5, 2],
  ] as const;
  expect(downsample(points, 100)).toBe(points);
});
