import { expect, test } from 'vitest';
import { metricName, metrics, valuesOf } from '../../src/report/metrics.js';
import { measurementWith, runWith } from '../fixtures.js';

function metric(name: string) {
  const found = metrics.find((one) => one.name === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
}

test('names are unlike, and a phase alone is its rate', () => {
  expect(new Set(metrics.map(({ name }) => name)).size).toBe(metrics.length);
  expect(metricName('read', metric(''))).toBe('read');
  expect(metricName('create-random', metric('p99'))).toBe('create-random.p99');
});

test('the rate is of bytes or of operations, as the phase counts', () => {
  const write = measurementWith();
  const iops = measurementWith({ phase: 'iops', figure: 'operations' });
  expect([metric('').of(write), metric('').unit(write)]).toEqual([write.bytesPerSecond, 'bytesPerSecond']);
  expect([metric('').of(iops), metric('').unit(iops)]).toEqual([
    iops.operationsPerSecond,
    'operationsPerSecond',
  ]);
});

test('every metric of a full measurement is a number of its own place', () => {
  const measurement = measurementWith();
  expect(Object.fromEntries(metrics.map((one) => [one.name, one.of(measurement)]))).toEqual({
    '': 1_073_741_824,
    durable: 858_993_459.2,
    throughput: 1_073_741_824,
    ops: 16_384,
    min: 46_500,
    mean: 59_600,
    p50: 59_904,
    p90: 59_904,
    p99: 59_904,
    p999: 59_904,
    p9999: 121_000,
    max: 121_000,
    share: 1,
    cpu: 75,
    seconds: 0.5,
    bytes: 536_870_912,
    operations: 8192,
  });
});

test('what is not known is null, and what is known of a rate stays', () => {
  const measurement = measurementWith({
    latencyNs: null,
    durable: null,
    device: { readBytes: null, writtenBytes: null, dirtyBytes: null, share: null, reason: 'no /proc' },
  });
  const unknown = metrics.filter((one) => one.of(measurement) === null).map(({ name }) => name);
  expect(unknown).toEqual(['durable', 'min', 'mean', 'p50', 'p90', 'p99', 'p999', 'p9999', 'max', 'share']);
});

test('values come from the complete runs that know them', () => {
  const runOf = (seconds: number, state: 'completed' | 'incomplete' = 'completed') =>
    runWith({
      state,
      measurements: [measurementWith({ seconds }), measurementWith({ phase: 'read', seconds: 9 })],
    });
  expect(valuesOf([runOf(1), runOf(2, 'incomplete'), runOf(3)], 'write', metric('seconds'))).toEqual([1, 3]);
  expect(valuesOf([runOf(1)], 'iops', metric('seconds'))).toEqual([]);
  const unknown = runWith({ measurements: [measurementWith({ latencyNs: null })] });
  expect(valuesOf([unknown, runWith()], 'write', metric('p99'))).toEqual([59_904]);
});
