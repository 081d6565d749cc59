import { expect, test } from 'vitest';
import { percentileCurve } from '../../../src/report/measure/latency-summary.js';

/** 1,000 operations: nine in ten take about 100 ns, the rest about 1,000 ns. */
const LATENCY = {
  samples: 1000,
  min: 96,
  max: 1010,
  buckets: [
    { from: 96, below: 104, count: 900 },
    { from: 992, below: 1024, count: 100 },
  ],
};

test('a percentile curve is evenly spaced in nines, and ends where ten samples remain', () => {
  expect(percentileCurve(LATENCY, 3)).toEqual([
    [0, 100],
    [expect.closeTo(0.9, 10), 100],
    [expect.closeTo(0.99, 10), 1008],
  ]);
});

test('a percentile curve stays between the measured minimum and maximum', () => {
  const curve = percentileCurve({ ...LATENCY, min: 101, max: 1000 }, 9).map(([, ns]) => ns);
  expect([Math.min(...curve), Math.max(...curve)]).toEqual([101, 1000]);
});

test('a percentile curve of ten samples is empty', () => {
  expect(percentileCurve({ ...LATENCY, samples: 10 }, 9)).toEqual([]);
});
