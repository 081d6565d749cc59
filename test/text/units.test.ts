import { expect, test } from 'vitest';
import { formatBytes, formatNs, formatSeconds, GIB, KIB, MIB, parseSize } from '../../src/text/units.js';

test.each([
  [0, '0 bytes'],
  [1023, '1023 bytes'],
  [KIB, '1 KiB'],
  [GIB, '1 GiB'],
  [2048 * GIB, '2048 GiB'],
  // Rounding reaches the next unit.
  [MIB - 1, '1 MiB'],
])('formatBytes prints %d bytes as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test.each([
  [0, '0 s'],
  [0.25, '0.25 s'],
  [59.4, '59 s'],
  [59.6, '1 min 0 s'],
  [95, '1 min 35 s'],
  [3599.7, '1 h 0 min'],
  [3725, '1 h 2 min'],
])('formatSeconds prints %d seconds as %s', (seconds, text) => {
  expect(formatSeconds(seconds)).toBe(text);
});

test.each([
  [0, '0 ns'],
  [12_345, '12.3 µs'],
  [999_600, '1 ms'],
  [4_200_000, '4.2 ms'],
  [1_500_000_000, '1.5 s'],
])('formatNs prints %d nanoseconds as %s', (ns, text) => {
  expect(formatNs(ns)).toBe(text);
});

test.each([
  ['64k', 1, 65_536],
  ['1t', 1, 2 ** 40],
  ['8', 2 ** 20, 2 ** 23],
  ['1.5k', 1, 1536],
  ['1kB', 1, 1000],
  ['1KiB', 2 ** 20, 1024],
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
