import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ProgressSample } from '../../../src/report/events/event-record.js';
import { startSampler } from '../../../src/run/worker-pool/sampler.js';
import { BUCKET_COUNT, bucketFloorNs, bucketIndex } from '../../../workers/latency-recorder.js';
import { getPhase } from '../../../workers/phases/phase-catalogue.js';
import { OPERATIONS, READ_BYTES, WRITTEN_BYTES } from '../../../workers/protocol.js';

const INTERVAL_MS = 100;
const MOST_SAMPLES = 6000;

/** Starts a sampler of this many workers, with a clock that the test advances. */
function startSampling(workers = 1, phase = 'iops') {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'hrtime'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const progress = Array.from({ length: workers }, () => new Float64Array(4));
  const latencyCounts = progress.map(() => new Float64Array(BUCKET_COUNT));
  const reported: ProgressSample[] = [];
  const words = progress.map((one, at) => ({
    progress: one,
    latencyCounts: latencyCounts[at] ?? new Float64Array(),
    writeLatencyCounts: new Float64Array(BUCKET_COUNT),
    recent: new Float64Array(1),
  }));
  const startNs = process.hrtime.bigint();
  const step = {
    phase: getPhase(phase),
    transfer: { intervalMs: null, readPercent: 100, direct: false, syncPerWrite: null },
  } as const;
  const sampler = startSampler(step, words, startNs, (now) => reported.push(now));
  return { sampler, progress, latencyCounts, reported };
}

/** Advances by this many intervals. In each interval every worker does an operation of one byte. */
function work(progress: readonly Float64Array[], intervals: number): void {
  for (let interval = 0; interval < intervals; interval++) {
    for (const worker of progress) {
      worker[OPERATIONS] = (worker[OPERATIONS] ?? 0) + 1;
      worker[READ_BYTES] = (worker[READ_BYTES] ?? 0) + 1;
    }
    vi.advanceTimersByTime(INTERVAL_MS);
  }
}

/** Returns the times as numbers of intervals, to avoid rounding. */
function toIntervals(seconds: readonly number[]): readonly number[] {
  return seconds.map((second) => Math.round((second * 1000) / INTERVAL_MS));
}

function everyNth(step: number, last: number): readonly number[] {
  return Array.from({ length: last / step }, (_, at) => (at + 1) * step);
}

test('the totals of all workers are reported ten times a second, even if only some samples are stored', () => {
  const { sampler, progress, reported } = startSampling(2);
  for (const worker of progress) worker[WRITTEN_BYTES] = 7;
  work(progress, MOST_SAMPLES + 3);
  sampler.stop();
  work(progress, 1);
  expect(reported).toHaveLength(MOST_SAMPLES + 3);
  expect(reported[0]).toEqual({
    seconds: expect.closeTo(0.1),
    operations: 2,
    bytes: 2 + 14,
    latencyNs: null,
  });
  expect(reported.at(-1)).toMatchObject({
    operations: 2 * (MOST_SAMPLES + 3),
    bytes: 2 * (MOST_SAMPLES + 3) + 14,
  });
});

test('the totals of all workers, reads plus writes, are stored ten times a second', () => {
  const { sampler, progress } = startSampling(2);
  const [first, second] = progress;
  first?.set([1, 100, 10], OPERATIONS);
  vi.advanceTimersByTime(100);
  first?.set([2, 200, 20], OPERATIONS);
  second?.set([7, 0, 7000], OPERATIONS);
  vi.advanceTimersByTime(100);
  first?.set([3, 300, 30], OPERATIONS);
  vi.advanceTimersByTime(50);
  expect(sampler.finish().series).toEqual({
    seconds: [0.1, 0.2, 0.25],
    operations: [1, 9, 10],
    bytes: [110, 7220, 7330],
  });
});

test('bytes that are read and written back count once', () => {
  const { sampler, progress } = startSampling(1, 'read');
  progress[0]?.set([2, 200, 100], OPERATIONS);
  vi.advanceTimersByTime(100);
  progress[0]?.set([2, 200, 200], OPERATIONS);
  vi.advanceTimersByTime(50);
  expect(sampler.finish().series.bytes).toEqual([200, 200]);
});

test('a phase that ends before the first sample has one sample, taken at its end', () => {
  const { sampler, progress } = startSampling();
  progress[0]?.set([5, 0, 50]);
  vi.advanceTimersByTime(7);
  expect(sampler.finish().series).toEqual({ seconds: [0.007], operations: [5], bytes: [50] });
});

/** Returns the middle of the bucket that holds a latency. */
function bucketMiddle(ns: number): number {
  const bucket = bucketIndex(ns);
  return Math.floor((bucketFloorNs(bucket) + bucketFloorNs(bucket + 1)) / 2);
}

/** Adds operations to a worker's latencies. */
function record(counts: Float64Array | undefined, ns: number, operations = 1): void {
  if (counts) counts[bucketIndex(ns)] = (counts[bucketIndex(ns)] ?? 0) + operations;
}

test('each sample has all workers’ latencies since the previous sample', () => {
  const { sampler, latencyCounts, reported } = startSampling(2);
  const [first, second] = latencyCounts;
  record(first, 1000, 97);
  record(second, 5000, 3);
  vi.advanceTimersByTime(INTERVAL_MS);
  record(second, 200);
  vi.advanceTimersByTime(INTERVAL_MS);
  vi.advanceTimersByTime(INTERVAL_MS);
  expect(reported.map(({ latencyNs }) => latencyNs)).toEqual([
    { p50: bucketMiddle(1000), p99: bucketMiddle(5000), max: bucketMiddle(5000) },
    { p50: bucketMiddle(200), p99: bucketMiddle(200), max: bucketMiddle(200) },
    null,
  ]);
  expect(sampler.finish().series.latencyNs).toEqual({
    p50: [bucketMiddle(1000), bucketMiddle(200), null, null],
    p99: [bucketMiddle(5000), bucketMiddle(200), null, null],
    max: [bucketMiddle(5000), bucketMiddle(200), null, null],
  });
});

describe('a phase of more than ten minutes', () => {
  test.each([
    [MOST_SAMPLES * 2 - 4, 2],
    [MOST_SAMPLES * 2 - 2, 4],
  ])(
    'for a phase of %i intervals, the sampler stores one sample in %i and the last sample',
    (intervals, step) => {
      const { sampler, progress } = startSampling(2);
      work(progress, intervals);
      const { seconds, operations, bytes } = sampler.finish().series;
      const moments = [...everyNth(step, intervals), intervals];
      expect(toIntervals(seconds)).toEqual(moments);
      expect(operations).toEqual(moments.map((count) => 2 * count));
      expect(bytes).toEqual(moments.map((count) => 2 * count));
      expect(seconds.length).toBeLessThan(MOST_SAMPLES);
    },
  );

  test('each stored sample has the latencies since the previous stored sample', () => {
    const { sampler, progress, latencyCounts } = startSampling();
    const intervals = 2 * MOST_SAMPLES;
    for (let interval = 0; interval < intervals; interval++) {
      // Every other operation is slow, so each stored sample covers both kinds.
      record(latencyCounts[0], interval % 2 === 0 ? 100 : 900);
      work(progress, 1);
    }
    const { latencyNs, seconds } = sampler.finish().series;
    const stored = new Array(seconds.length - 1);
    expect(latencyNs).toEqual({
      p50: [...stored.fill(bucketMiddle(100)), null],
      p99: [...stored.map(() => bucketMiddle(900)), null],
      max: [...stored.map(() => bucketMiddle(900)), null],
    });
  });

  test.each([MOST_SAMPLES - 2, MOST_SAMPLES])(
    'the last sample of a phase of %i and a half intervals has the total',
    (intervals) => {
      const { sampler, progress } = startSampling();
      work(progress, intervals);
      progress[0]?.set([99_999, 7, 8]);
      vi.advanceTimersByTime(INTERVAL_MS / 2);
      const { seconds, operations, bytes } = sampler.finish().series;
      expect(seconds.at(-1)).toBeCloseTo((intervals + 0.5) / 10, 9);
      expect(operations.at(-1)).toBe(99_999);
      expect(bytes.at(-1)).toBe(15);
      expect(operations).toHaveLength(seconds.length);
    },
  );
});
