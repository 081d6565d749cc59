import { expect, test } from 'vitest';
import { parseSize } from '../../src/text/units.js';

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
