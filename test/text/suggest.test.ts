import { expect, test } from 'vitest';
import { optionRows } from '../../src/cli/argv/option-rows.js';
import { nearest } from '../../src/text/suggest.js';

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
])('%s is near to %s', (given, meant) => {
  expect(nearest(given, NAMES)).toBe(meant);
});

test('what is right is nearest to itself', () => {
  for (const name of NAMES) expect(nearest(name, NAMES)).toBe(name);
});

test.each(['', 'x', 'colour-scheme', 'banana', '__proto__'])('%j is near to nothing', (given) => {
  expect(nearest(given, NAMES)).toBeNull();
});

test('two characters that changed places are one mistake, and the nearest of several wins', () => {
  expect(nearest('abdc', ['abcd', 'abxx'])).toBe('abcd');
  expect(nearest('runss', ['run', 'runs'])).toBe('runs');
  expect(nearest('size', [])).toBeNull();
});

test('what nobody can have mistyped is not looked at for long', () => {
  expect(nearest('size'.repeat(500_000), NAMES)).toBeNull();
});
