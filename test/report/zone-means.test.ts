import { expect, test } from 'vitest';
import { averageZones } from '../../src/report/zone-means.js';

/** A loop whose blocks took these times. */
function createLoop(...seconds: readonly number[]) {
  return seconds.map((time, index) => ({ offsetBytes: index * 100, bytes: 100, seconds: time }));
}

function averageTimes(...loops: readonly (readonly number[])[]): readonly number[] {
  return averageZones(loops.map((times) => createLoop(...times))).map(({ seconds }) => seconds);
}

test('with five loops, one time is dropped at each end, like zcav does', () => {
  expect(averageTimes([0], [0], [0], [3], [3])).toEqual([1]);
  expect(averageTimes([0], [0], [3], [3], [3])).toEqual([2]);
});

test('with six loops, two times are dropped at each end', () => {
  expect(averageTimes([100], [2], [4], [90], [0], [1])).toEqual([3]);
});

test('an incomplete loop counts for the blocks that it read', () => {
  expect(averageTimes([1, 4], [3])).toEqual([2, 4]);
  expect(averageTimes([1, 4], [])).toEqual([1, 4]);
});
