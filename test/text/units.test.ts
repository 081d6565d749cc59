import { expect, test } from 'vitest';
import { formatBytes, formatNs, formatSeconds, GIB, KIB, MIB, parseSize } from '../../src/text/units.js';

test.each([
  [0, '0 bytes'],
  [512, '512 bytes'],
  [1023, '1023 bytes'],
  [KIB, '1 KiB'],
  [1.5 * KIB, '1.5 KiB'],
  [64 * KIB, '64 KiB'],
  [MIB, '1 MiB'],
  [512 * MIB, '512 MiB'],
  [GIB, '1 GiB'],
  [12.34 * GIB, '12.3 GiB'],
  [2048 * GIB, '2048 GiB'],
  // Rounding reaches the next unit.
  [MIB - 1, '1 MiB'],
  [GIB - 1, '1 GiB'],
])('formatBytes prints %d bytes as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test.each([
  [0, '0 s'],
  [0.25, '0.25 s'],
  [0.1234, '0.12 s'],
  [9.99, '10 s'],
  [15, '15 s'],
  [59.4, '59 s'],
  [59.6, '1 min 0 s'],
  [95, '1 min 35 s'],
  [3599.7, '1 h 0 min'],
  [3725, '1 h 2 min'],
  [86_400, '24 h 0 min'],
])('formatSeconds prints %d seconds as %s', (seconds, text) => {
  expect(formatSeconds(seconds)).toBe(text);
});

test.each([
  [0, '0 ns'],
  [850, '850 ns'],
  [1000, '1 µs'],
  [12_345, '12.3 µs'],
  [998_700, '999 µs'],
  [999_600, '1 ms'],
  [4_200_000, '4.2 ms'],
  [37_149_000, '37.1 ms'],
  [1_500_000_000, '1.5 s'],
])('formatNs prints %d nanoseconds as %s', (ns, text) => {
  expect(formatNs(ns)).toBe(text);
});

test.each([
  ['512', 1, 512],
  ['64k', 1, 65_536],
  ['64K', 1, 65_536],
  ['3m', 1, 3 * 2 ** 20],
  ['2G', 1, 2 ** 31],
  ['1t', 1, 2 ** 40],
  ['8', 2 ** 20, 2 ** 23],
  ['8k', 2 ** 20, 8192],
  ['1.5k', 1, 1536],
  ['.5', 2 ** 20, 2 ** 19],
  ['2.', 1, 2],
  ['1kB', 1, 1000],
  ['1KB', 1, 1000],
  ['1KiB', 2 ** 20, 1024],
  ['1 Gi', 1, 2 ** 30],
  ['10GB', 1, 1e10],
  ['1TB', 1, 1e12],
  ['7B', 2 ** 20, 7],
])('parseSize reads %s with a bare unit of %d bytes as %d bytes', (text, bareUnit, bytes) => {
  expect(parseSize(text, bareUnit)).toBe(bytes);
});

test.each(['', 'k', '.', '-1', '1kBs', '1k ', '1i', '1iB', '1x', '1e3', '0x10'])(
  '%j is not a size',
  (text) => {
    expect(parseSize(text)).toBeNull();
  },
);
