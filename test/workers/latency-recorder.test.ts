import { describe, expect, onTestFinished, test } from 'vitest';
import { sum } from '../../src/report/statistics/statistics.js';
import { BUCKET_COUNT, bucketFloorNs, bucketIndex, LatencyRecorder } from '../../workers/latency-recorder.js';
import { Random } from '../../workers/random.js';

const TWO_TO_53 = 2 ** 53;
const EXACT_BELOW_NS = 64;
/** Operations that a recorder records in a row before it decides how many to skip. */
const BURST = 40;
const LONGEST_INTERVAL = 16;
const CLOCK_COST_NS = 40;
const NS_PER_SECOND = 1_000_000_000;
const OPERATIONS = 10_000;

const buckets = Array.from({ length: BUCKET_COUNT }, (_, bucket) => bucket);

/** Values around every power of two, and ten thousand of all magnitudes. */
function valuesBelow(limit: number): readonly number[] {
  const random = new Random(2018, 4, 12);
  const powers = Array.from({ length: 54 }, (_, bits) => 2 ** bits);
  const drawn = Array.from({ length: 10_000 }, () => random.below(2 ** (1 + random.below(53))));
  return [...powers.flatMap((power) => [power - 1, power, power + 1]), ...drawn].filter((ns) => ns < limit);
}

/** Makes a clock that takes this long to read, and otherwise advances only during operations. */
function makeClock(costNs: number) {
  let nowNs = 0;
  let reads = 0;
  const { hrtime } = process;
  // No spy, which would store every call.
  process.hrtime = Object.assign(
    (): [number, number] => {
      reads += 1;
      nowNs += costNs;
      return [Math.floor(nowNs / NS_PER_SECOND), nowNs % NS_PER_SECOND];
    },
    { bigint: hrtime.bigint },
  );
  onTestFinished(() => {
    process.hrtime = hrtime;
  });
  return {
    pass(ns: number) {
      nowNs += ns;
    },
    read: () => ({ nowNs, reads }),
  };
}

type Clock = ReturnType<typeof makeClock>;

/** Passes operations of these lengths to a recorder and returns the indexes of the recorded operations. */
function record(latency: LatencyRecorder, clock: Clock, lengthsNs: readonly number[]): readonly number[] {
  return [...lengthsNs.entries()].flatMap(([operation, ns]) => {
    const before = clock.read().reads;
    const began = latency.begin();
    clock.pass(ns);
    latency.end(began);
    return clock.read().reads > before ? [operation] : [];
  });
}

describe('a latency bucket', () => {
  test('a bucket holds every value from its floor up to the next floor', () => {
    const astray = valuesBelow(TWO_TO_53).filter((ns) => {
      const bucket = bucketIndex(ns);
      return !(bucketFloorNs(bucket) <= ns && ns < bucketFloorNs(bucket + 1));
    });
    expect(astray).toEqual([]);
  });

  test('the smallest value of a bucket is its floor, and its largest value is just below the next floor', () => {
    expect(buckets.map((bucket) => bucketIndex(bucketFloorNs(bucket)))).toEqual(buckets);
    expect(buckets.map((bucket) => bucketIndex(bucketFloorNs(bucket + 1) - 1))).toEqual(buckets);
  });

  test('buckets start one nanosecond wide and are never wider than 1/32 of their floor', () => {
    const widths = buckets.map((bucket) => bucketFloorNs(bucket + 1) - bucketFloorNs(bucket));
    expect(widths.slice(0, EXACT_BELOW_NS)).toEqual(new Array(EXACT_BELOW_NS).fill(1));
    const wide = buckets.filter(
      (bucket) => bucket >= EXACT_BELOW_NS && (widths[bucket] ?? 0) > bucketFloorNs(bucket) / 32,
    );
    expect(wide).toEqual([]);
  });

  test('the last bucket also holds every longer time', () => {
    expect(bucketFloorNs(BUCKET_COUNT)).toBe(TWO_TO_53);
    expect([TWO_TO_53, 2 ** 60].map(bucketIndex)).toEqual([BUCKET_COUNT - 1, BUCKET_COUNT - 1]);
  });
});

test('a recorder without operations has no latencies', () => {
  const { counts, ...rest } = new LatencyRecorder().tally();
  expect(rest).toEqual({ samples: 0, minNs: 0, maxNs: 0, totalNs: 0 });
  expect([...counts]).toEqual(new Array(BUCKET_COUNT).fill(0));
});

test('a recorder reports recorded times to the nanosecond and counts them in their buckets', () => {
  const clock = makeClock(0);
  const latency = new LatencyRecorder();
  const lengthsNs = [0, 7, 7, 1500, 999_999_999_999, 12_345_678];
  record(latency, clock, lengthsNs);
  const { counts, ...rest } = latency.tally();
  expect(rest).toEqual({ samples: 6, minNs: 0, maxNs: 999_999_999_999, totalNs: sum(lengthsNs) });
  const wanted = new Float64Array(BUCKET_COUNT);
  for (const ns of lengthsNs) wanted[bucketIndex(ns)] = (wanted[bucketIndex(ns)] ?? 0) + 1;
  expect(counts).toEqual(wanted);
});

test.each([200, 1500, 5000])('of operations of %i ns, a recorder records one burst in several', (ns) => {
  const operations = new Array<number>(OPERATIONS).fill(ns);
  const clock = makeClock(CLOCK_COST_NS);
  const latency = new LatencyRecorder();
  const before = clock.read();
  const recorded = record(latency, clock, operations);
  const after = clock.read();
  const { samples, counts, totalNs } = latency.tally();
  expect(samples).toBeLessThan(OPERATIONS);
  // A burst represents the skipped operations.
  expect(OPERATIONS - sum([...counts])).toBeGreaterThanOrEqual(0);
  expect(OPERATIONS - sum([...counts])).toBeLessThan(BURST * LONGEST_INTERVAL);
  expect(totalNs).toBe(sum([...counts]) * (ns + CLOCK_COST_NS));
  const readingNs = (after.reads - before.reads) * CLOCK_COST_NS;
  expect(readingNs / (after.nowNs - before.nowNs)).toBeLessThan(0.05);
  // Every tenth operation, a write, is recorded as often as the reads.
  const byPlace = new Array<number>(10).fill(0);
  for (const operation of recorded.slice(0, recorded.length - (recorded.length % BURST)))
    byPlace[operation % 10] = (byPlace[operation % 10] ?? 0) + 1;
  expect(new Set(byPlace).size).toBe(1);
});

test('a recorder records every operation again when operations become longer', () => {
  const clock = makeClock(CLOCK_COST_NS);
  const latency = new LatencyRecorder();
  record(latency, clock, new Array(OPERATIONS).fill(50));
  record(latency, clock, new Array(BURST * LONGEST_INTERVAL).fill(1_000_000));
  expect(record(latency, clock, new Array(100).fill(1_000_000))).toHaveLength(100);
});

test('a recorder records only some operations when operations become shorter', () => {
  const clock = makeClock(CLOCK_COST_NS);
  const latency = new LatencyRecorder();
  record(latency, clock, new Array(1000).fill(1_000_000));
  record(latency, clock, new Array(BURST).fill(50));
  expect(record(latency, clock, new Array(1000).fill(50)).length).toBeLessThan(100);
});

test('a recorder reads a slow clock less often', () => {
  const recordedAt = (costNs: number) => {
    const clock = makeClock(costNs);
    return record(new LatencyRecorder(), clock, new Array(10_000).fill(20_000)).length;
  };
  expect(recordedAt(20)).toBe(10_000);
  expect(recordedAt(1000)).toBeLessThan(2000);
});
