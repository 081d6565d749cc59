import { expect, test } from 'vitest';
import { metrics, metricValues, summarizeMetric } from '../../src/report/metrics.js';
import { stepValues } from '../../src/report/results.js';
import type { Latency } from '../../src/report/schema/report.js';
import { measurementWith, rankResultWith } from '../support/data/fixtures.js';

const resultWith = (facts: Parameters<typeof measurementWith>[0] = {}) =>
  stepValues(measurementWith(facts), { target: { isMemory: false } });

const MIX_PART = { bytes: 4096, operations: 1, bytesPerSecond: 4096, operationsPerSecond: 1 };

function partWith(p50: number, p99: number, max: number): Latency {
  const { latencyNs } = measurementWith();
  if (!latencyNs) throw new Error('the measurement has no latency');
  return { ...latencyNs, p50, p99, max };
}

function metric(name: string) {
  const found = metrics.find((one) => one.name === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
}

test('every metric reads its own value of a measurement', () => {
  const rank = rankResultWith({ host: 'h0', seconds: 2, cpuPercent: 10, latencyNs: null });
  const measurement = resultWith({
    ranks: [rank, { ...rank, rank: 1, host: 'h1', seconds: 4 }],
    reads: { ...MIX_PART, latencyNs: partWith(2000, 4000, 8000) },
    writes: { ...MIX_PART, latencyNs: partWith(51_000, 59_000, 109_000) },
    syncedWrites: {
      writeLatencyNs: partWith(1000, 3000, 9000),
      syncLatencyNs: partWith(50_000, 56_000, 100_000),
    },
  });
  expect(Object.fromEntries(metrics.map((one) => [one.name, one.getValue(measurement)]))).toEqual({
    '': 1_073_741_824,
    timed: 1_073_741_824,
    throughput: 1_073_741_824,
    ops: 16_384,
    slowest: 250,
    min: 46_500,
    mean: 59_600,
    p50: 59_904,
    p90: 59_904,
    p95: 59_904,
    p99: 59_904,
    p999: 59_904,
    p9999: 121_000,
    max: 121_000,
    'reads.p50': 2000,
    'reads.p99': 4000,
    'reads.max': 8000,
    'writes.p50': 51_000,
    'writes.p99': 59_000,
    'writes.max': 109_000,
    'write.p50': 1000,
    'write.p99': 3000,
    'write.max': 9000,
    'sync.p50': 50_000,
    'sync.p99': 56_000,
    'sync.max': 100_000,
    share: 1,
    ceiling: null,
    cpu: 75,
    seconds: 0.5,
    bytes: 536_870_912,
    operations: 8192,
  });
});

test('an unknown metric is null', () => {
  const measurement = resultWith({
    latencyNs: null,
    device: { readBytes: null, writtenBytes: null, dirtyBytes: null, share: null, reason: 'no /proc' },
  });
  const unknown = metrics.filter((one) => one.getValue(measurement) === null).map(({ name }) => name);
  const latencies = ['min', 'mean', 'p50', 'p90', 'p95', 'p99', 'p999', 'p9999', 'max'];
  const parts = ['reads', 'writes', 'write', 'sync'].flatMap((part) =>
    ['p50', 'p99', 'max'].map((name) => `${part}.${name}`),
  );
  expect(unknown).toEqual(['slowest', ...latencies, ...parts, 'share', 'ceiling']);
});

test('each combination of quantity, quantile and unit is unique', () => {
  for (const primaryRate of ['bytes', 'operations'] as const) {
    const places = metrics.map((one) => [one.quantity, one.quantile, one.unit({ primaryRate })].join());
    // The rate is one of the two throughputs, under a name that all phases share.
    expect(new Set(places).size).toBe(metrics.length);
  }
});

test('a single partly cached run makes all values as timed', () => {
  const read = (share: number | null) =>
    resultWith({
      step: 'read',
      readBytes: 1,
      writtenBytes: 0,
      bytesPerSecond: 3e9,
      device: { readBytes: null, writtenBytes: null, dirtyBytes: null, share, reason: null },
    });
  for (const name of ['', 'p99', 'throughput']) {
    expect(metricValues([read(1), read(0.9)], metric(name))).toMatchObject({ isFromDevice: true });
    for (const share of [0.89, null])
      expect(metricValues([read(1), read(share)], metric(name))).toMatchObject({ isFromDevice: false });
  }
  const values = [3e9, 3e9];
  expect(metricValues([read(1), read(0.2)], metric(''))).toEqual({ values, isFromDevice: false });
  expect(metricValues([read(1), read(0.2)], metric(''), true)).toEqual({ values, isFromDevice: true });
  expect(metricValues([read(0.2)], metric('timed'))).toEqual({ values: [3e9], isFromDevice: true });
});

test('the rate of three runs without a known time has an interval', () => {
  const rows = [1e8, 1.1e8, 1.2e8].map((bytesPerSecond) => ({
    ...resultWith({ bytesPerSecond }),
    seconds: null,
  }));
  const { confidence95 } = summarizeMetric(rows, metric('throughput'))?.spread ?? {};
  expect(confidence95?.low).toBeGreaterThan(0);
  expect(confidence95?.high).toBeGreaterThan(1.2e8);
});

test('the longest operation is that of all runs, and has no interval', () => {
  const rows = [2e6, 8e6, 3e6].map((max) => ({ ...resultWith({}), latencyNs: { max } }));
  expect(summarizeMetric(rows, metric('max'))).toMatchObject({ value: 8e6, spread: { confidence95: null } });
});
