import { describe, expect, test } from 'vitest';
import {
  compareSides,
  findChanges,
  findFailures,
  findWorstVerdict,
  labelChange,
  previewDifferences,
} from '../../src/compare/comparison.js';
import type { ComparisonSide, MetricSample } from '../../src/compare/side.js';
import { metricWith, sideWith } from '../support/data/comparison-sides.js';

const sample = (values: readonly number[], facts?: Partial<MetricSample>) =>
  metricWith('write', values, facts);
const side = (samples: readonly MetricSample[], facts?: Partial<ComparisonSide>) =>
  sideWith('a.json', samples, facts);

function change(before: readonly number[], after: readonly number[], facts: Partial<MetricSample> = {}) {
  const [found] = compareSides(side([sample(before, facts)]), side([sample(after, facts)])).changes;
  if (!found) throw new Error('there is no change');
  return found;
}

test('shares and CPU differ in points, never as a ratio', () => {
  const share = { name: 'read.share', unit: 'share', role: 'informational', better: null } as const;
  const compareValues = (before: readonly number[], after: readonly number[], facts: Partial<MetricSample>) =>
    compareSides(side([sample([1]), sample(before, facts)]), side([sample([1]), sample(after, facts)]))
      .changes[1];
  expect(compareValues([0.9, 0.92, 0.94], [0.12, 0.12, 0.12], share)).toMatchObject({
    changePercent: null,
    changePercentagePoints: expect.closeTo(-80, 0),
    intervalPercent: null,
  });
  expect(compareValues([50], [150], { ...share, unit: 'percent' })).toMatchObject({
    changePercentagePoints: 100,
  });
  expect(change([50], [150])).toMatchObject({ changePercentagePoints: null, changePercent: 200 });
});

test('a result equals itself, however noisy it is', () => {
  const noisy = [100, 300, 50, 800, 20];
  expect(change(noisy, noisy)).toMatchObject({ verdict: 'pass', intervalPercent: { low: 0, high: 0 } });
  expect(change(noisy, noisy.toReversed())).toMatchObject({ verdict: 'inconclusive' });
});

const served = sample([100, 101, 99]);
const cached = { ...sample([800, 810, 790]), isFromDevice: false };

test.each([
  ['before', cached, served],
  ['after', served, cached],
])(
  'if a result was partly cached %s, the verdict is cached, and both sides are as timed',
  (_, before, after) => {
    const comparison = compareSides(side([before]), side([after]));
    const means = [before, after].map(({ values }) => expect.closeTo(values[0] ?? 0, 0));
    expect(comparison.changes).toEqual([
      expect.objectContaining({
        isFromDevice: false,
        verdict: 'cached',
        significance: 'untested',
        direction: null,
        before: { mean: means[0], runs: 3 },
        after: { mean: means[1], runs: 3 },
      }),
    ]);
    expect(findWorstVerdict(comparison)).toBe('cached');
  },
);

test('if strict, a cached result fails even beside a result that passes', () => {
  const before = side([served, { ...served, name: 'read' }]);
  const after = side([served, { ...cached, name: 'read' }]);
  const comparison = compareSides(before, after);
  expect(findWorstVerdict(comparison)).toBe('pass');
  expect(findFailures(comparison, false)).toEqual([]);
  expect(findFailures(comparison, true).map(({ name }) => name)).toEqual(['read']);
});

test.each([
  [100, 89, 'inconclusive'],
  [100, 90, 'inconclusive'],
  [100, 150, 'inconclusive'],
  [100, 100, 'pass'],
] as const)(
  'single runs of %d and %d, which may differ by noise, have the verdict %s',
  (before, after, verdict) => {
    expect(change([before], [after])).toMatchObject({
      significance: 'untested',
      changePercent: after - before,
      intervalPercent: null,
      verdict,
      direction: null,
    });
  },
);

describe('several runs', () => {
  test('doubling is a regression only if less is better', () => {
    const before = [10, 11, 9, 10];
    const after = [20, 21, 19, 20];
    expect(change(before, after)).toMatchObject({ direction: 'better', verdict: 'pass' });
    const worse = change(before, after, { better: 'lower' });
    expect(worse).toMatchObject({ direction: 'worse', verdict: 'regression' });
    expect(change(before, after, { better: null })).toMatchObject({ direction: null, verdict: 'pass' });
  });

  test('with more metrics, each metric needs stronger evidence', () => {
    const before = [100, 102, 98, 101, 99];
    const after = [97, 98, 96, 99.5, 95];
    const alone = change(before, after);
    const names = Array.from({ length: 12 }, (_, at) => `write${at}`);
    const many = compareSides(
      side(names.map((name) => sample(before, { name }))),
      side(names.map((name) => sample(after, { name }))),
    );
    expect(alone.significance).toBe('significant');
    expect(many.changes.map(({ significance }) => significance)).toEqual(names.map(() => 'not-significant'));
  });
});

test('a change from 0 has no percentage, and a change to 0 is -100 %', () => {
  expect(change([0], [5, 5])).toMatchObject({ changePercent: null, direction: null, verdict: 'pass' });
  expect(change([5, 5], [0])).toMatchObject({ changePercent: -100, verdict: 'regression' });
  const same = { changePercent: 0, intervalPercent: null, verdict: 'pass' };
  expect(change([0, 0], [0, 0])).toMatchObject(same);
});

test('metrics that one side lacks, or has in another unit, are omitted', () => {
  const otherUnit = sample([1], { name: 'read', unit: 'operationsPerSecond' });
  const comparison = compareSides(
    side([sample([1]), sample([1], { name: 'read' })]),
    side([sample([1]), otherUnit, sample([1], { name: 'seeks' })]),
  );
  expect(comparison.changes.map(({ name }) => name)).toEqual(['write']);
});

test('a noted difference does not prevent a verdict', () => {
  const withCpu = (value: string) => ({
    properties: [[{ name: 'CPU', value, kind: 'environment' } as const]],
  });
  const before = side([sample([100, 101])], withCpu('A'));
  const after = side([sample([50, 51])], withCpu('B'));
  const comparison = compareSides(before, after);
  expect(comparison).toMatchObject({
    differences: [],
    environmentNotes: [{ name: 'CPU', before: 'A', after: 'B' }],
  });
  expect(findChanges('regression', comparison)).toHaveLength(1);
  expect(previewDifferences(before, after, ['write'])).toEqual([]);
});

const STEADY = [100, 101, 99, 100, 100];

function sideWithValues(values: readonly number[], facts: Partial<MetricSample>, threads = 2) {
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
  ['a noisy result compared with itself', [10, 90, 40], [10, 90, 40], 'same'],
  ['noise that could hide a regression', STEADY, [50, 150, 90, 110, 100], 'inconclusive'],
  ['a single run that is much slower than another', [100], [50], 'inconclusive'],
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
