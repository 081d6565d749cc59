import { expect, test } from 'vitest';
import type { Points } from '../../../../src/format/page/drawing/scale.js';
import { computeBand, downsample, rateCurve } from '../../../../src/format/page/drawing/timeline.js';

function createMeasurement(seconds: readonly number[], bytes: readonly number[]) {
  const series = { seconds: [...seconds], bytes: [...bytes], operations: bytes.map(() => 0) };
  return { series, primaryRate: 'bytes' } as const;
}

test.each([
  [
    'is constant between two samples',
    [0.1, 0.3],
    [10, 20],
    [
      [0, 100],
      [0.1, 100],
      [0.1, 50],
      [0.3, 50],
    ],
  ],
  [
    'of the last few milliseconds is part of the rate before them, because they are too short',
    [0.1, 0.2, 0.201],
    [10, 20, 30.2],
    [
      [0, 100],
      [0.1, 100],
      [0.1, 200],
      [0.201, 200],
    ],
  ],
  [
    'of a phase of a few milliseconds is constant',
    [0.004],
    [4],
    [
      [0, 1000],
      [0.004, 1000],
    ],
  ],
])('the rate %s', (_, seconds, bytes, curve) => {
  const points = rateCurve(createMeasurement(seconds, bytes));
  expect(points).toEqual(curve.map(([at, rate]) => [at, expect.closeTo(rate ?? 0)]));
});

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

test('the band ends where half of the runs end, because the slow runs alone would look like a fall', () => {
  const run = (rate: number): Points => [
    [0, rate],
    [10 / rate, rate],
  ];
  const band = computeBand([5, 1, 4].map(run));
  expect(Math.min(...band.map(({ median }) => median))).toBe(4);
  expect(band.at(-1)?.x).toBeCloseTo(10 / 4, 1);
  expect(computeBand([run(1)]).at(-1)?.x).toBeCloseTo(10, 0);
});
