import { describe, expect, test } from 'vitest';
import { formatAmount, METRIC_UNITS, parseAmount, unitDefinitions } from '../../src/report/amount.js';

describe('parsing an amount', () => {
  test.each([
    ['200MB/s', 'bytesPerSecond', 200e6],
    ['1.5 GB/s', 'bytesPerSecond', 1.5e9],
    ['7 B/s', 'bytesPerSecond', 7],
    ['.5GiB/s', 'bytesPerSecond', 2 ** 29],
    ['200mb/s', 'bytesPerSecond', 200e6],
    ['900kB/s', 'bytesPerSecond', 900e3],
    ['5000', 'operationsPerSecond', 5000],
    ['5k', 'operationsPerSecond', 5000],
    ['1.2M/s', 'operationsPerSecond', 1.2e6],
    ['80/s', 'operationsPerSecond', 80],
    ['20ms', 'nanoseconds', 20e6],
    ['500us', 'nanoseconds', 500e3],
    ['500µs', 'nanoseconds', 500e3],
    ['500μs', 'nanoseconds', 500e3],
    ['1.5 s', 'nanoseconds', 1.5e9],
    ['2min', 'seconds', 120],
    ['250ms', 'seconds', 0.25],
    ['1GiB', 'bytes', 2 ** 30],
    ['3k', 'count', 3000],
    ['90%', 'share', 0.9],
    ['150 %', 'percent', 150],
  ] as const)('%s as %s is %d', (text, unit, value) => {
    expect(parseAmount(text, unit)).toBeCloseTo(value, 9);
  });

  test.each([
    ['200', 'bytesPerSecond'],
    ['20ms', 'bytesPerSecond'],
    ['0.9', 'share'],
    ['', 'count'],
    ['-5', 'count'],
    ['1e3', 'count'],
    ['1.2.3k', 'count'],
    ['NaN', 'count'],
    ['5toString', 'bytes'],
  ] as const)('%j is not an amount in %s', (text, unit) => {
    expect(parseAmount(text, unit)).toBeNull();
  });

  test.each(METRIC_UNITS)('the example of %s can be parsed', (unit) => {
    expect(parseAmount(unitDefinitions[unit].example, unit)).toBeGreaterThan(0);
  });
});

test.each([
  [748_220_000, 'bytesPerSecond', '748.2 MB/s'],
  [12_345, 'bytesPerSecond', '0.01235 MB/s'],
  [23_832.4, 'operationsPerSecond', '23832/s'],
  [12.345, 'operationsPerSecond', '12.35/s'],
  [1_234_567, 'nanoseconds', '1.23 ms'],
  [0.5, 'seconds', '500 ms'],
  [2 ** 29, 'bytes', '512 MiB'],
  [8192, 'count', '8192'],
  [0.931, 'share', '93.1 %'],
  [187.04, 'percent', '187.0 %'],
] as const)('%d as %s is formatted as %s', (value, unit, text) => {
  expect(formatAmount(value, unit)).toBe(text);
});
