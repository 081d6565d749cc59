import { describe, expect, test } from 'vitest';
import {
  latencyAxis,
  linearScale,
  ninesScale,
  type Scale,
  secondsAxis,
} from '../../../../src/format/page/drawing/scale.js';

const tickTexts = ({ ticks }: Scale) => ticks.map(({ text }) => text).join(' ');

test.each([
  [0, 7, '0 2 4 6 8'],
  [0, 853, '0 200 400 600 800 1000'],
  [-12, 30, '-20 -10 0 10 20 30'],
  [0, 0, '0 0.2'],
  [26.5, 26.5, '20 30'],
])('a linear scale from %d to %d has the round ticks %s', (min, max, texts) => {
  expect(tickTexts(linearScale([min, max], [0, 100], String))).toBe(texts);
});

describe('a latency axis', () => {
  test('has ticks at powers of ten over two decades or more, and between them over fewer', () => {
    expect(tickTexts(latencyAxis([3, 9000], [0, 100]))).toBe('1 ns 10 ns 100 ns 1 µs 10 µs');
    expect(tickTexts(latencyAxis([30, 900], [0, 100]))).toBe('20 ns 50 ns 100 ns 200 ns 500 ns 1 µs');
  });

  test('places equal ratios at equal distances', () => {
    const { at } = latencyAxis([1, 10_000], [0, 100]);
    expect([1, 10, 100, 10_000].map(at)).toEqual([0, 25, 50, 100]);
  });

  test('places values below 1 at 1', () => {
    const { at } = latencyAxis([0, 100], [0, 90]);
    expect([0, 1, 100].map(at)).toEqual([0, 0, 90]);
  });
});

test('a percentile scale places each further nine at the same distance, and ends at the highest share', () => {
  const scale = ninesScale([0, 0.99], [0, 100]);
  expect(tickTexts(scale)).toBe('0 % 50 % 90 % 99 %');
  expect([0, 0.9, 0.99].map((share) => Math.round(scale.at(share)))).toEqual([0, 50, 100]);
});

test('a time axis ends at its highest value, and has the ticks up to it', () => {
  const scale = secondsAxis([7, 3.5], [0, 100]);
  expect(tickTexts(scale)).toBe('0 s 2 s 4 s 6 s');
  expect([0, 3.5, 7].map(scale.at)).toEqual([0, 50, 100]);
});
