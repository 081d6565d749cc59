import { expect, test } from 'vitest';
import { labelChange } from '../../src/compare/change-label.js';
import { compareSides } from '../../src/compare/comparison.js';
import type { ComparisonSide, MetricSample } from '../../src/compare/side.js';
import { metricWith, sideWith } from '../support/data/comparison-sides.js';

const STEADY = [100, 101, 99, 100, 100];

function subject(values: readonly number[], facts: Partial<MetricSample>, threads = 2): ComparisonSide {
  // Something has to be judged.
  const samples = [metricWith('write', values, facts), metricWith('read', values)];
  return sideWith('x', samples, { properties: [[{ name: '--threads', value: threads }]] });
}

function wordOf(
  before: readonly number[],
  after: readonly number[],
  facts: Partial<MetricSample> = {},
  options: Parameters<typeof compareSides>[2] = {},
) {
  const comparison = compareSides(subject(before, facts), subject(after, facts), options);
  const change = comparison.changes[0];
  return change && labelChange(change, comparison);
}

const times = (factor: number) => STEADY.map((value) => value * factor);

test.each([
  ['a regression', STEADY, times(0.8), 'worse'],
  ['a significant drop that is allowed', STEADY, times(0.95), 'worse'],
  ['a significant rise', STEADY, times(1.05), 'better'],
  ['a result and itself, however noisy', [10, 90, 40], [10, 90, 40], 'same'],
  ['noise that hides no regression', STEADY, [101, 99, 100, 100, 100], 'same'],
  ['noise that could hide one', STEADY, [50, 150, 90, 110, 100], 'inconclusive'],
  ['a single run that is much slower than another', [100], [50], 'worse'],
  ['a single run that is a little slower', [100], [95], 'inconclusive'],
  ['a single run that is faster', [100], [200], 'inconclusive'],
  ['two equal single runs', [100], [100], 'same'],
  ['a change from 0', [0, 0], [5, 5], 'inconclusive'],
] as const)('%s is called so', (_, before, after, word) => {
  expect(wordOf(before, after)).toBe(word);
});

test('a smaller limit leaves less that is the same', () => {
  const noise = [103, 97, 101, 99, 100];
  expect([10, 1].map((maxRegressionPercent) => wordOf(STEADY, noise, {}, { maxRegressionPercent }))).toEqual([
    'same',
    'inconclusive',
  ]);
});

test('without a limit, as in ab, the usual one tells what is the same', () => {
  expect(wordOf(STEADY, [101, 99, 100, 100, 100], {}, { maxRegressionPercent: null })).toBe('same');
});

test('memory leaves every change inconclusive, but not a result compared with itself', () => {
  expect(wordOf(STEADY, times(0.1), { isFromDevice: false })).toBe('inconclusive');
  expect(wordOf(STEADY, STEADY, { isFromDevice: false })).toBe('same');
});

test('of a figure that is better neither way, and between sides that differ in options, nothing is said', () => {
  expect(wordOf(STEADY, times(2), { better: null, role: 'informational' })).toBeNull();
  const comparison = compareSides(subject(STEADY, {}, 2), subject(times(0.5), {}, 4));
  expect(comparison.changes.map((change) => labelChange(change, comparison))).toEqual([null, null]);
});
