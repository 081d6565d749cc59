import { expect, test } from 'vitest';
import { optionRows } from '../../src/cli/argv/option-rows.js';
import { findNearest } from '../../src/text/suggest.js';

const NAMES = Object.keys(optionRows);

test.each([
  ['sise', 'size'],
  ['szie', 'size'],
  ['iops-duration', 'iopsDuration'],
  ['IOPS_DURATION', 'iopsDuration'],
  ['Threads', 'threads'],
  ['thread', 'threads'],
  ['maxRegresion', 'maxRegression'],
  ['drect', 'direct'],
])('for %s the suggestion is %s', (given, meant) => {
  expect(findNearest(given, NAMES)).toBe(meant);
});

test('a correct name is its own suggestion', () => {
  for (const name of NAMES) expect(findNearest(name, NAMES)).toBe(name);
});

test.each(['', 'x', 'colour-scheme', 'banana', '__proto__'])('for %j there is no suggestion', (given) => {
  expect(findNearest(given, NAMES)).toBeNull();
});

test('two swapped characters are one mistake, and the nearest name wins', () => {
  expect(findNearest('abdc', ['abcd', 'abxx'])).toBe('abcd');
  expect(findNearest('runss', ['run', 'runs'])).toBe('runs');
  expect(findNearest('size', [])).toBeNull();
});

test('a text too long to be a name is rejected without comparing', () => {
  expect(findNearest('size'.repeat(500_000), NAMES)).toBeNull();
});
