import { expect, test } from 'vitest';
import {
  computeBand,
  downsample,
  findStandstills,
  toSlots,
} from '../../../../src/format/page/drawing/timeline.js';

function createSeries(seconds: readonly number[], bytes: readonly number[]) {
  return { seconds: [...seconds], bytes: [...bytes], operations: bytes.map(() => 0) };
}

test('each slot has the rate since the previous slot', () => {
  expect(toSlots(createSeries([0.1, 0.3], [10, 20]), 'bytes')).toEqual([
    { fromSeconds: 0, toSeconds: 0.1, perSecond: 100 },
    { fromSeconds: 0.1, toSeconds: 0.3, perSecond: expect.closeTo(50) },
  ]);
});

test('the last few milliseconds join the previous slot: they are too short for a rate', () => {
  expect(
    toSlots(createSeries([0.1, 0.2, 0.201], [10, 20, 30]), 'bytes').map(({ toSeconds }) => toSeconds),
  ).toEqual([0.1, 0.201]);
});

test('a phase of a few milliseconds is one slot', () => {
  expect(toSlots(createSeries([0.004], [4]), 'bytes')).toEqual([
    { fromSeconds: 0, toSeconds: 0.004, perSecond: 1000 },
  ]);
});

test('half a second without progress is a standstill, and a shorter pause is not', () => {
  const seconds = Array.from({ length: 20 }, (_, at) => (at + 1) / 10);
  const bytes = seconds.map((_, at) => (at < 3 ? at : at < 10 ? 3 : at < 12 ? 4 : at));
  const found = findStandstills(toSlots(createSeries(seconds, bytes), 'bytes'));
  expect(found).toEqual([{ fromSeconds: 0.4, toSeconds: 1, perSecond: 0 }]);
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

test('a line with few points is unchanged', () => {
  const points = [
    [0, 1],
    [5, 2],
  ] as const;
  expect(downsample(points, 100)).toBe(points);
});

test('the band of many runs has the lowest, the highest and the median value at each time', () => {
  const level = (value: number) => [[0, value] as const, [10, value] as const];
  const band = computeBand([level(1), level(2), level(9)]);
  expect(new Set(band.map(({ low, median, high }) => [low, median, high].join()))).toEqual(
    new Set(['1,2,9']),
  );
});

test('the band ends with the longest run, and includes a run only until its end', () => {
  const band = computeBand([
    [
      [0, 1],
      [1, 1],
    ],
    [
      [0, 5],
      [10, 5],
    ],
  ]);
  expect(band.at(-1)).toMatchObject({ low: 5, median: 5, high: 5 });
  expect(band[0]).toMatchObject({ low: 1, high: 5 });
});
