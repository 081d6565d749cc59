import { expect, test } from 'vitest';
import { compareSides, labelChange } from '../../src/compare/comparison.js';
import type { ComparisonSide, MetricSample } from '../../src/compare/side.js';
import { metricWith, sideWith } from '../support/data/comparison-sides.js';

const STEADY = [100, 101, 99, 100, 100];

function sideWithValues(
  values: readonly number[],
  facts: Partial<MetricSample>,
  threads = 2,
): ComparisonSide {
  // A comparison needs a gating metric.
  const samples = [metricWith('write', values, facts), metricWith('read', values)];
  return sideWith('x', samples, { properties: [[{ name: '--threads', value: threads }]] });
}

function labelFor(
  before: readonly number[],
  after: readonly number[],
  facts: Partial<MetricSample> = {},
  options: Parameters<typeof compareSides>[2] = {},
) {
  const comparison = compareSides(sideWithValues(before, facts), sideWithValues(after, facts), options);
  const change = comparison.changes[0];
  return change && labelChange(change, comparison);
}

const times = (factor: number) => STEADY.map((value) => value * factor);

test.each([
  ['a regression', STEADY, times(0.8), 'worse'],
  ['a significant drop that is allowed', STEADY, times(0.95), 'worse'],
  ['a significant rise', STEADY, times(1.05), 'better'],
  ['a noisy result compared with itself', [10, 90, 40], [10, 90, 40], 'same'],
  ['noise that hides no regression', STEADY, [101, 99, 100, 100, 100], 'same'],
  ['noise that could hide a regression', STEADY, [50, 150, 90, 110, 100], 'inconclusive'],
  ['a single run that is much slower than another', [100], [50], 'worse'],
  ['a single run that is a little slower', [100], [95], 'inconclusive'],
  ['a single run that is faster', [100], [200], 'inconclusive'],
  ['two equal single runs', [100], [100], 'same'],
  ['a change from 0', [0, 0], [5, 5], 'inconclusive'],
] as const)('%s has its label', (_, before, after, word) => {
  expect(labelFor(before, after)).toBe(word);
});

test('without a limit, as in ab, the default limit decides if a change is the same', () => {
  expect(labelFor(STEADY, [101, 99, 100, 100, 100], {}, { maxRegressionPercent: null })).toBe('same');
});

test('a change of cached results is inconclusive, except for a result compared with itself', () => {
  expect(labelFor(STEADY, times(0.1), { isFromDevice: false })).toBe('inconclusive');
  expect(labelFor(STEADY, STEADY, { isFromDevice: false })).toBe('same');
});

test('a change has no label if neither direction is better, or if the sides differ in options', () => {
  expect(labelFor(STEADY, times(2), { better: null, role: 'informational' })).toBeNull();
  const comparison = compareSides(sideWithValues(STEADY, {}, 2), sideWithValues(times(0.5), {}, 4));
  expect(comparison.changes.map((change) => labelChange(change, comparison))).toEqual([null, null]);
});
