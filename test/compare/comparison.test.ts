import { describe, expect, test } from 'vitest';
import {
  compareSides,
  findChanges,
  findWorstVerdict,
  previewDifferences,
} from '../../src/compare/comparison.js';
import type { ComparisonSide, MetricSample } from '../../src/compare/side.js';
import { metricWith, sideWith } from '../support/data/comparison-sides.js';

const sample = (values: readonly number[], facts?: Partial<MetricSample>) =>
  metricWith('write', values, facts);
const subject = (samples: readonly MetricSample[], facts?: Partial<ComparisonSide>) =>
  sideWith('a.json', samples, facts);

function change(before: readonly number[], after: readonly number[], facts: Partial<MetricSample> = {}) {
  const [found] = compareSides(subject([sample(before, facts)]), subject([sample(after, facts)])).changes;
  if (!found) throw new Error('nothing was compared');
  return found;
}

test('shares and CPU differ in points, and never as a ratio', () => {
  const share = { name: 'read.share', unit: 'share', role: 'informational', better: null } as const;
  const compared = (before: readonly number[], after: readonly number[], facts: Partial<MetricSample>) =>
    compareSides(subject([sample([1]), sample(before, facts)]), subject([sample([1]), sample(after, facts)]))
      .changes[1];
  expect(compared([0.9, 0.92, 0.94], [0.12, 0.12, 0.12], share)).toMatchObject({
    changePercent: null,
    changePercentagePoints: expect.closeTo(-80, 0),
    intervalPercent: null,
  });
  expect(compared([50], [150], { ...share, unit: 'percent' })).toMatchObject({ changePercentagePoints: 100 });
  expect(change([50], [150])).toMatchObject({ changePercentagePoints: null, changePercent: 200 });
});

test('a result is the same as itself, however noisy it is', () => {
  const noisy = [100, 300, 50, 800, 20];
  expect(change(noisy, noisy)).toMatchObject({ verdict: 'pass', intervalPercent: { low: 0, high: 0 } });
  expect(change(noisy, noisy.toReversed())).toMatchObject({ verdict: 'inconclusive' });
});

describe('if memory served a part', () => {
  const served = sample([100, 101, 99]);
  const inMemory = { ...sample([800, 810, 790]), isFromDevice: false };

  test.each([
    ['before', inMemory, { ...served, timed: [120, 121, 119] }],
    ['after', { ...served, timed: [120, 121, 119] }, inMemory],
  ])('%s, nothing can be told, and both sides are as timed', (_, before, after) => {
    const comparison = compareSides(subject([before]), subject([after]));
    const means = [before, after].map(({ timed }) => expect.closeTo(timed[0] ?? 0, 0));
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
  });

  test('in one figure, the verdict is that of the others', () => {
    const before = subject([served, { ...inMemory, name: 'read' }]);
    const [same, worse] = [
      [100, 101, 99],
      [50, 51, 49],
    ].map((values) => {
      const after = subject([sample(values), { ...inMemory, name: 'read' }]);
      return findWorstVerdict(compareSides(before, after));
    });
    expect([same, worse]).toEqual(['pass', 'regression']);
  });
});

describe('single runs', () => {
  test.each([
    [100, 89, 'regression', 'worse'],
    [100, 90, 'pass', 'worse'],
    [100, 100, 'pass', null],
    // It may be noise.
    [100, 150, 'pass', null],
  ] as const)('%d and %d are %s', (before, after, verdict, direction) => {
    expect(change([before], [after])).toMatchObject({
      significance: 'untested',
      changePercent: after - before,
      intervalPercent: null,
      pValue: null,
      verdict,
      direction,
    });
  });

  test('a single run compared with several is taken to be as noisy as they are', () => {
    expect(change([100, 101, 99], [50])).toMatchObject({
      significance: 'significant',
      verdict: 'regression',
    });
    expect(change([100, 130, 70], [80])).toMatchObject({
      significance: 'not-significant',
      verdict: 'inconclusive',
    });
  });
});

describe('several runs', () => {
  test('a drop that noise cannot explain is a regression, and the interval says how large', () => {
    const found = change([100, 101, 99, 100, 100], [80, 81, 79, 80, 80]);
    expect(found).toMatchObject({ significance: 'significant', direction: 'worse', verdict: 'regression' });
    expect(found.changePercent).toBeCloseTo(-20, 2);
    expect(found.intervalPercent?.low).toBeLessThan(-20);
    expect(found.intervalPercent?.high).toBeGreaterThan(-22);
    expect(found.pValue).toBeLessThan(1e-6);
  });

  test('a significant drop below the limit is not a regression', () => {
    expect(change([100, 101, 99, 100, 100], [95, 96, 94, 95, 95])).toMatchObject({
      significance: 'significant',
      direction: 'worse',
      verdict: 'pass',
    });
  });

  test('a change within the noise is noise, and could hide a regression', () => {
    expect(change([100, 60, 140], [80, 50, 120])).toMatchObject({
      significance: 'not-significant',
      direction: null,
      verdict: 'inconclusive',
    });
  });

  test('noise too small to hide a regression is fine', () => {
    expect(change([100, 101, 99, 100], [100, 99, 101, 100])).toMatchObject({
      significance: 'not-significant',
      verdict: 'pass',
    });
  });

  test('doubling is a regression only if less is better', () => {
    const [before, after] = [
      [10, 11, 9, 10],
      [20, 21, 19, 20],
    ] as const;
    expect(change(before, after)).toMatchObject({ direction: 'better', verdict: 'pass' });
    expect(change(before, after, { better: 'lower' })).toMatchObject({
      direction: 'worse',
      verdict: 'regression',
    });
    expect(change(before, after, { better: null })).toMatchObject({ direction: null, verdict: 'pass' });
  });

  test('with more figures each needs stronger evidence', () => {
    const [before, after] = [
      [100, 102, 98, 101, 99],
      [97, 98, 96, 99.5, 95],
    ] as const;
    const alone = change(before, after);
    const names = Array.from({ length: 12 }, (_, at) => `write${at}`);
    const many = compareSides(
      subject(names.map((name) => sample(before, { name }))),
      subject(names.map((name) => sample(after, { name }))),
    );
    expect(alone.significance).toBe('significant');
    expect(many.changes.map(({ significance }) => significance)).toEqual(names.map(() => 'not-significant'));
    expect(many.changes[0]?.pValue).toBe(alone.pValue);
  });
});

test('the limit of a regression can be set', () => {
  const [before, after] = [subject([sample([100])]), subject([sample([94])])];
  const regressions = [10, 5, 0].map((maxRegressionPercent) =>
    findChanges('regression', compareSides(before, after, { maxRegressionPercent })),
  );
  expect(regressions.map(({ length }) => length)).toEqual([0, 1, 1]);
});

test('a figure that is only shown is never a regression', () => {
  const shown = { role: 'informational', name: 'write.p99', better: 'lower' } as const;
  const comparison = compareSides(
    subject([sample([1]), sample([10], shown)]),
    subject([sample([1]), sample([99], shown)]),
  );
  expect(comparison.changes.map(({ name, verdict, direction }) => [name, verdict, direction])).toEqual([
    ['write', 'pass', null],
    ['write.p99', null, 'worse'],
  ]);
});

test('a change from 0 has no percentage, and one to 0 is -100 %', () => {
  expect(change([0], [5, 5])).toMatchObject({ changePercent: null, direction: 'better', verdict: 'pass' });
  expect(change([5], [0])).toMatchObject({ changePercent: -100, verdict: 'regression' });
  expect(change([0, 0], [0, 0])).toMatchObject({
    changePercent: 0,
    intervalPercent: null,
    verdict: 'pass',
  });
});

test('metrics that one side lacks, or has in another unit, are left out', () => {
  const comparison = compareSides(
    subject([sample([1]), sample([1], { name: 'read' })]),
    subject([
      sample([1]),
      sample([1], { name: 'read', unit: 'operationsPerSecond' }),
      sample([1], { name: 'seeks' }),
    ]),
  );
  expect(comparison.changes.map(({ name }) => name)).toEqual(['write']);
});

test('without a figure in common there is nothing to compare', () => {
  expect(() =>
    compareSides(subject([sample([1])]), subject([sample([1], { name: 'read' })], { name: 'b' })),
  ).toThrow(
    expect.objectContaining({ code: 'option-invalid', message: 'a.json and b have no metric in common' }),
  );
});

test('the first documents of both sides are compared, the others with their first, and each difference is listed once', () => {
  const threads = (value: number) => [{ name: '--threads', value }];
  const before = subject([sample([1])], { properties: [threads(2), threads(2)] });
  const after = subject([sample([1])], { name: 'b', properties: [threads(2), threads(3), threads(3)] });
  expect(compareSides(before, after).differences).toEqual([
    { name: '--threads', before: '2', after: '3', within: 'b' },
  ]);
  expect(compareSides(before, subject([sample([1])], { properties: [threads(3)] })).differences).toEqual([
    { name: '--threads', before: '2', after: '3' },
  ]);
  expect(compareSides(before, before).differences).toEqual([]);
});

test('a noted difference does not prevent a verdict', () => {
  const onProcessor = (value: string) => ({
    properties: [[{ name: 'CPU', value, isInformational: true }]],
  });
  const [before, after] = [
    subject([sample([100])], onProcessor('A')),
    subject([sample([50])], onProcessor('B')),
  ];
  const comparison = compareSides(before, after);
  expect(comparison).toMatchObject({
    differences: [],
    environmentNotes: [{ name: 'CPU', before: 'A', after: 'B' }],
  });
  expect(findChanges('regression', comparison)).toHaveLength(1);
  expect(previewDifferences(before, after)).toEqual([]);
});
