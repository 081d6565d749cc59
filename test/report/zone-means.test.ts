import { expect, test } from 'vitest';
import { averageZones } from '../../src/report/zone-means.js';

/** A loop whose blocks took these times. */
function loopOf(...seconds: readonly number[]) {
  return seconds.map((time, index) => ({ offsetBytes: index * 100, bytes: 100, seconds: time }));
}

function meansOf(...loops: readonly (readonly number[])[]): readonly number[] {
  return averageZones(loops.map((times) => loopOf(...times))).map(({ seconds }) => seconds);
}

test('with one loop, its times are the means', () => {
  expect(averageZones([loopOf(1, 2)])).toEqual(loopOf(1, 2));
});

test('with two loops, each block has the mean of both times', () => {
  expect(meansOf([1, 10], [3, 20])).toEqual([2, 15]);
});

test('with three loops, the fastest and the slowest time of each block are dropped', () => {
  expect(meansOf([1, 9], [2, 1], [30, 5])).toEqual([2, 5]);
});

test('with five loops, one time is dropped at each end, like zcav does', () => {
  expect(meansOf([0], [0], [0], [3], [3])).toEqual([1]);
  expect(meansOf([0], [0], [3], [3], [3])).toEqual([2]);
});

test('with six loops, two times are dropped at each end', () => {
  expect(meansOf([100], [2], [4], [90], [0], [1])).toEqual([3]);
});

test('an incomplete loop counts for the blocks that it read', () => {
  expect(meansOf([1, 4], [3])).toEqual([2, 4]);
  expect(meansOf([1, 4], [])).toEqual([1, 4]);
});

test('without times there are no means', () => {
  expect(averageZones([])).toEqual([]);
  expect(averageZones([[]])).toEqual([]);
});
