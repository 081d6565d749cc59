import { expect, test } from 'vitest';
import { measure, type Observed, type PhaseRecord } from '../../src/report/measurement.js';
import type { Measurement } from '../../src/report/report.js';
import { BUCKETS, bucketOf } from '../../workers/latency.js';
import type { Phase } from '../../workers/phases/phase.js';
import type { LatencyTally, Tally } from '../../workers/protocol.js';
import { planWith } from '../fixtures.js';

const GATE_NS = 5_000_000_000_000_000n;
const WRITE = { name: 'write', title: 'Sequential Write', figure: 'bytes', order: 'sequential' } as const;
const NO_SERIES = { seconds: [], threads: [] };
const NOTHING: Observed = {
  cpu: { userSeconds: 0, systemSeconds: 0 },
  io: null,
  newDirtyBytes: null,
  disk: null,
  host: null,
};

/** What a worker did that ended so long after the gate. */
function tally(bytes: number, operations: number, endNs: bigint, facts: Partial<Tally> = {}): Tally {
  return {
    type: 'tally',
    operations,
    readBytes: 0,
    writtenBytes: bytes,
    endNs: GATE_NS + endNs,
    latency: latencyOf(),
    ...facts,
  };
}

function latencyOf(...samplesNs: readonly number[]): LatencyTally {
  const counts = new Float64Array(BUCKETS);
  for (const ns of samplesNs) counts[bucketOf(ns)] = (counts[bucketOf(ns)] ?? 0) + 1;
  return {
    samples: samplesNs.length,
    minNs: samplesNs.length === 0 ? 0 : Math.min(...samplesNs),
    maxNs: Math.max(0, ...samplesNs),
    totalNs: samplesNs.reduce((sum, ns) => sum + ns, 0),
    counts,
  };
}

function measured(
  tallies: readonly Tally[],
  facts: Partial<PhaseRecord> = {},
  phase: Partial<Pick<Phase, 'figure'>> = {},
): Measurement {
  const record = {
    tallies,
    gateNs: GATE_NS,
    series: NO_SERIES,
    observed: NOTHING,
    durableNs: null,
    ...facts,
  };
  return measure({ ...WRITE, ...phase }, record, planWith({ size: 0.5 }));
}

test('bytes and operations are summed, and the time is from the gate to the last finisher', () => {
  const tallies = [
    tally(3000, 3, 500_000_000n),
    tally(4000, 5, 2_000_000_000n, { readBytes: 1000 }),
    tally(0, 0, 100n),
  ];
  expect(measured(tallies)).toEqual({
    phase: 'write',
    title: 'Sequential Write',
    figure: 'bytes',
    bytes: 8000,
    readBytes: 1000,
    writtenBytes: 7000,
    operations: 8,
    seconds: 2,
    bytesPerSecond: 4000,
    operationsPerSecond: 4,
    durable: null,
    device: {
      readBytes: null,
      writtenBytes: null,
      dirtyBytes: null,
      share: null,
      reason: expect.stringMatching(/./),
    },
    others: null,
    cpu: { userSeconds: 0, systemSeconds: 0, percent: 0, microsecondsPerOperation: 0 },
    host: null,
    latencyNs: null,
    cliff: null,
    series: NO_SERIES,
  });
});

test('a late start of a thread is not taken off the time', () => {
  expect(measured([tally(1000, 1, 1_000_000_000n)]).seconds).toBe(1);
});

test('the order of the tallies does not matter', () => {
  const tallies = [
    tally(1, 1, 7n, { latency: latencyOf(5) }),
    tally(2, 2, 9n, { latency: latencyOf(900, 70) }),
    tally(3, 3, 8n, { readBytes: 4 }),
  ];
  expect(measured(tallies.toReversed())).toEqual(measured(tallies));
});

test('a nanosecond is told from the next on a clock of many days', () => {
  const seconds = [1_000_000_001n, 1_000_000_002n].map((endNs) => measured([tally(1, 1, endNs)]).seconds);
  expect(seconds).toEqual([1.000000001, 1.000000002]);
});

test('a clock that stood still gives rates that JSON can hold', () => {
  const still = measured([tally(1000, 1, 0n)], { durableNs: GATE_NS });
  expect(still.seconds).toBeGreaterThan(0);
  const rates = [still.bytesPerSecond, still.durable?.bytesPerSecond, still.cpu.percent];
  expect(rates.filter((rate) => !Number.isFinite(rate))).toEqual([]);
});

test('a phase in which nothing was done has rates of 0, and no time for an operation', () => {
  expect(measured([tally(0, 0, 1_000_000n)])).toMatchObject({
    bytesPerSecond: 0,
    operationsPerSecond: 0,
    cpu: { microsecondsPerOperation: null },
  });
});

test('the durable rate goes on until everything was on the device', () => {
  const tallies = [tally(3000, 3, 500_000_000n), tally(5000, 5, 1_000_000_000n)];
  const { seconds, durable } = measured(tallies, { durableNs: GATE_NS + 4_000_000_000n });
  expect({ seconds, durable }).toEqual({ seconds: 1, durable: { seconds: 4, bytesPerSecond: 2000 } });
});

test('the processor time is told as a share of the elapsed time and for each operation', () => {
  const observed = { ...NOTHING, cpu: { userSeconds: 0.5, systemSeconds: 2.5 } };
  expect(measured([tally(1000, 1000, 2_000_000_000n)], { observed }).cpu).toEqual({
    userSeconds: 0.5,
    systemSeconds: 2.5,
    percent: 150,
    microsecondsPerOperation: 3000,
  });
});

test('what the device did beyond what was asked here was for others, and never less than nothing', () => {
  const io = { readBytes: 1000, writtenBytes: 5000 };
  const observed = { ...NOTHING, io, disk: { readBytes: 1500, writtenBytes: 3000 } };
  expect(measured([tally(5000, 1, 1000n)], { observed }).others).toEqual({ readBytes: 500, writtenBytes: 0 });
});

test('how much came from the device is in it', () => {
  const observed = { ...NOTHING, io: { readBytes: 250, writtenBytes: 0 } };
  const read = tally(0, 1, 1000n, { readBytes: 1000 });
  expect(measured([read], { observed }).device).toMatchObject({ readBytes: 250, share: 0.25 });
});

test("all threads' latencies are one", () => {
  const tallies = [
    tally(1, 2, 1000n, { latency: latencyOf(10, 20) }),
    tally(0, 0, 1000n),
    tally(1, 1, 1000n, { latency: latencyOf(30) }),
  ];
  expect(measured(tallies).latencyNs).toMatchObject({ samples: 3, min: 10, mean: 20, p50: 20, max: 30 });
});

test('the rate that fell is looked for in the figure, summed over the threads', () => {
  const seconds = Array.from({ length: 100 }, (_, at) => (at + 1) / 10);
  const falling = seconds.map((second) => (second <= 5 ? second * 1000 : 5000 + (second - 5) * 100));
  const even = seconds.map((second) => second * 1000);
  const threads = [{ operations: even, bytes: falling }];
  const series = { seconds, threads: [...threads, ...threads] };
  const tallies = [tally(11_000, 10, 10_000_000_000n)];
  expect(measured(tallies, { series }).cliff).toMatchObject({
    beforePerSecond: expect.closeTo(2000, 0),
    afterPerSecond: expect.closeTo(200, 0),
  });
  expect(measured(tallies, { series }, { figure: 'operations' })).toMatchObject({ cliff: null, series });
});
