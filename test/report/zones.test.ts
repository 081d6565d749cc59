import { expect, test } from 'vitest';
import { meanZones } from '../../src/report/zones.js';

/** A loop with these times for its blocks. */
function loopOf(...seconds: readonly number[]) {
  return seconds.map((time, index) => ({ offsetBytes: index * 100, bytes: 100, seconds: time }));
}

function meansOf(...loops: readonly (readonly number[])[]): readonly number[] {
  return meanZones(loops.map((times) => loopOf(...times))).map(({ seconds }) => seconds);
}

test('one loop is its own mean', () => {
  expect(meanZones([loopOf(1, 2)])).toEqual(loopOf(1, 2));
});

test('of two loops each block has the mean of both', () => {
  expect(meansOf([1, 10], [3, 20])).toEqual([2, 15]);
});

test('of three the fastest and the slowest are left out, in each block those of its own', () => {
  expect(meansOf([1, 9], [2, 1], [30, 5])).toEqual([2, 5]);
});

test('of five, as of zcav, one is left out at each end', () => {
  expect(meansOf([0], [0], [0], [3], [3])).toEqual([1]);
  expect(meansOf([0], [0], [3], [3], [3])).toEqual([2]);
});

test('of six two are left out at each end', () => {
  expect(meansOf([100], [2], [4], [90], [0], [1])).toEqual([3]);
});

test('a loop that was cut short counts as far as it came', () => {
  expect(meansOf([1, 4], [3])).toEqual([2, 4]);
  expect(meansOf([1, 4], [])).toEqual([1, 4]);
});

test('of nothing there are no means', () => {
  expect(meanZones([])).toEqual([]);
  expect(meanZones([[]])).toEqual([]);
});
