import { expect, test } from 'vitest';
import { GIB, MIB } from '../../src/text/units.js';
import { averageZones, loopLine, zoneLine } from '../../src/zones/zone.js';

// Output of zcav for 512 MiB at these rates.
test.each([
  [{ offsetBytes: 0, bytes: 512 * MIB, seconds: 2 }, '0.00 256.00 2.000\n'],
  [{ offsetBytes: 512 * MIB, bytes: 512 * MIB, seconds: 1.2024 }, '0.50 425.82 1.202\n'],
])('a block is a line of its offset in GiB, its MiB/s and its seconds: %j', (zone, line) => {
  expect(zoneLine(zone, 512 * MIB)).toBe(line);
});

test.each([
  [16 * MIB, '0.02'],
  [8 * MIB, '0.008'],
  [MIB, '0.0010'],
])(
  'offsets have two decimals, or more if neighbouring blocks would have the same: %i bytes',
  (bytes, offset) => {
    expect(zoneLine({ offsetBytes: bytes, bytes, seconds: 1 }, bytes).split(' ')[0]).toBe(offset);
  },
);

test('the blocks of a single loop are comments', () => {
  expect(loopLine({ offsetBytes: GIB, bytes: 64 * MIB, seconds: 0.5 }, 64 * MIB)).toBe(
    '#1.00 128.00 0.500\n',
  );
  expect(loopLine({ offsetBytes: GIB, bytes: 2 * MIB, seconds: 0.5 }, 64 * MIB)).toBe(
    '#1.00 4.00 0.500 (the last 2.00 MiB)\n',
  );
});

/** A loop whose blocks took these times. */
function createLoop(...seconds: readonly number[]) {
  return seconds.map((time, index) => ({ offsetBytes: index * 100, bytes: 100, seconds: time }));
}

function averageTimes(...loops: readonly (readonly number[])[]): readonly number[] {
  return averageZones(loops.map((times) => createLoop(...times))).map(({ seconds }) => seconds);
}

test('with three loops, the fastest and the slowest time of each block are dropped', () => {
  expect(averageTimes([1, 9], [2, 1], [30, 5])).toEqual([2, 5]);
});

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
