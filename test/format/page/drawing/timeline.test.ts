import { expect, test } from 'vitest';
import { findStandstills, toSlots } from '../../../../src/format/page/drawing/timeline.js';

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
