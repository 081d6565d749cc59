import { expect, test } from 'vitest';
import { optionRows } from '../../src/cli/argv/cli-catalogue.js';
import { findNearest } from '../../src/text/suggest.js';

const NAMES = Object.keys(optionRows);

test.each([
  ['sise', 'size'],
  ['iops-duration', 'iopsDuration'],
  ['IOPS_DURATION', 'iopsDuration'],
  ['maxRegresion', 'maxRegression'],
])('findNearest suggests for %s the option %s', (input, option) => {
  expect(findNearest(input, NAMES)).toBe(option);
});

test.each(['', 'x', 'colour-scheme', 'banana', '__proto__'])(
  'findNearest has no suggestion for %j',
  (input) => {
    expect(findNearest(input, NAMES)).toBeNull();
  },
);

test('findNearest returns the name with the fewest edits', () => {
  expect(findNearest('runss', ['run', 'runs'])).toBe('runs');
  expect(findNearest('abcd', ['abcdee', 'abxd'])).toBe('abxd');
  expect(findNearest('size', [])).toBeNull();
});
