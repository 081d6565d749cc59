import { expect, test } from 'vitest';
import { percentileCurve, summarizeLatency } from '../../../src/report/measure/latency-summary.js';
import type { Latency } from '../../../src/report/schema/measurement-schema.js';
import { BUCKET_COUNT, bucketIndex, type LatencyTally } from '../../../workers/latency-recorder.js';
import { Random } from '../../../workers/random.js';

const PERCENTILES = [
  ['p50', 0.5],
  ['p90', 0.9],
  ['p95', 0.95],
  ['p99', 0.99],
  ['p999', 0.999],
  ['p9999', 0.9999],
] as const;

/** The tally of a worker whose operations took this long; each sample stands for `each` operations. */
function createTally(lengthsNs: readonly number[], each = 1): LatencyTally {
  const counts = new Float64Array(BUCKET_COUNT);
  for (const ns of lengthsNs) counts[bucketIndex(ns)] = (counts[bucketIndex(ns)] ?? 0) + each;
  return {
    samples: lengthsNs.length,
    minNs: lengthsNs.length > 0 ? Math.min(...lengthsNs) : 0,
    maxNs: Math.max(0, ...lengthsNs),
    totalNs: each * sum(lengthsNs),
    counts,
  };
}

function summarize(...tallies: readonly LatencyTally[]): Latency {
  const summary = summarizeLatency(tallies);
  if (summary === null) throw new Error('nothing was recorded');
  return summary;
}

/** Random lengths of every magnitude from a nanosecond to a minute, reproducible by seed. */
function drawLengths(count: number, seed = 7): readonly number[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => Math.floor(2 ** ((random.below(1_000_000) / 1_000_000) * 36)));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The smallest value that is at least as large as this share of the values. */
function exactPercentile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.ceil(share * values.length) - 1] ?? 0;
}

test('without samples there is no latency', () => {
  expect(summarizeLatency([])).toBeNull();
  expect(summarizeLatency([createTally([]), createTally([])])).toBeNull();
});

test.each([0, 1, 63, 64, 65, 1_000_003, 2 ** 31, 2 ** 40 + 12_345])(
  'a single operation of %i ns is every percentile, exactly',
  (ns) => {
    const { samples, buckets, ...values } = summarize(createTally([ns]));
    expect(samples).toBe(1);
    expect(Object.values(values)).toEqual(new Array(9).fill(ns));
    expect(buckets).toEqual([{ from: expect.any(Number), below: expect.any(Number), count: 1 }]);
  },
);

test.each([10, 9999])(
  'the percentiles of %i operations are within 3.2 percent of the exact percentiles',
  (count) => {
    const lengths = drawLengths(count);
    const summary = summarize(createTally(lengths));
    for (const [name, share] of PERCENTILES) {
      const exact = exactPercentile(lengths, share);
      expect(Math.abs((summary[name] ?? 0) - exact) / exact).toBeLessThan(0.032);
    }
  },
);

test('latencies do not depend on the distribution of operations over threads, or on the order of threads', () => {
  const lengths = drawLengths(30_000);
  const whole = summarize(createTally(lengths));
  const parts = [lengths.slice(0, 1), lengths.slice(1, 20_000), lengths.slice(20_000)].map((part) =>
    createTally(part),
  );
  for (const tallies of [parts, parts.toReversed()]) {
    const { mean, ...rest } = summarize(...tallies);
    expect({ ...rest, mean: whole.mean }).toEqual(whole);
    expect(mean).toBeCloseTo(whole.mean, 6);
  }
});

test('a sample counts for every operation that it stands for', () => {
  const summary = summarize(createTally([10, 10], 13), createTally([40, 40, 40, 40]));
  expect(summary).toMatchObject({ samples: 6, p50: 10, p90: 40, mean: (26 * 10 + 4 * 40) / 30 });
  expect(summary.buckets).toEqual([
    { from: 10, below: 11, count: 26 },
    { from: 40, below: 41, count: 4 },
  ]);
});

test('the buckets are ordered, not empty, and contain every operation', () => {
  const lengths = drawLengths(1000);
  const { buckets } = summarize(createTally(lengths));
  for (const [index, { from, below, count }] of buckets.entries()) {
    expect(count).toBe(lengths.filter((ns) => from <= ns && ns < below).length);
    expect(count).toBeGreaterThan(0);
    expect(from).toBeGreaterThanOrEqual(buckets[index - 1]?.below ?? 0);
  }
  expect(sum(buckets.map(({ count }) => count))).toBe(1000);
});

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

test('a percentile curve is evenly spaced in nines, and ends with the slowest operation', () => {
  expect(percentileCurve([LATENCY], 4)).toEqual([
    [0, 100],
    [expect.closeTo(0.9, 10), 100],
    [expect.closeTo(0.99, 10), 1008],
    [expect.closeTo(0.999, 10), 1008],
    [expect.closeTo(0.999, 10), 1010],
  ]);
});

test('every percentile of a run is on its curve, also those that few operations exceed', () => {
  const summary = summarize(createTally(drawLengths(10_000)));
  const { p90, p99, p999, p9999, max } = summary;
  const curve = percentileCurve([summary], 5).map(([, ns]) => ns);
  expect(curve.slice(1)).toEqual([p90, p99, p999, p9999, max]);
});

test('a percentile curve of one sample is empty', () => {
  expect(percentileCurve([{ ...LATENCY, samples: 1 }], 9)).toEqual([]);
});
