import { describe, expect, test } from 'vitest';
import { changesWith, compareSubjects, foreseenDifferences } from '../../src/compare/comparison.js';
import type { MetricSample, Subject } from '../../src/compare/subject.js';

function sample(values: readonly number[], facts: Partial<MetricSample> = {}): MetricSample {
  return { name: 'write', unit: 'bytesPerSecond', better: 'more', role: 'judged', values, ...facts };
}

function subject(samples: readonly MetricSample[], facts: Partial<Subject> = {}): Subject {
  return { name: 'a.json', facts: [[]], samples, ...facts };
}

function change(before: readonly number[], after: readonly number[], facts: Partial<MetricSample> = {}) {
  const [found] = compareSubjects(subject([sample(before, facts)]), subject([sample(after, facts)])).changes;
  if (!found) throw new Error('nothing was compared');
  return found;
}

describe('single runs', () => {
  test.each([
    [100, 89, 'regression', 'worse'],
    [100, 90, 'fine', 'worse'],
    [100, 100, 'fine', null],
    [100, 150, 'fine', 'better'],
  ] as const)('%d and %d are %s', (before, after, verdict, direction) => {
    expect(change([before], [after])).toMatchObject({
      certainty: 'untested',
      changePercent: after - before,
      intervalPercent: null,
      probability: null,
      verdict,
      direction,
    });
  });

  test('a single run compared with several is taken to be as noisy as they are', () => {
    expect(change([100, 101, 99], [50])).toMatchObject({ certainty: 'significant', verdict: 'regression' });
    expect(change([100, 130, 70], [80])).toMatchObject({ certainty: 'noise', verdict: 'unsure' });
  });
});

describe('several runs', () => {
  test('a drop that noise cannot explain is a regression, and the interval says how large', () => {
    const found = change([100, 101, 99, 100, 100], [80, 81, 79, 80, 80]);
    expect(found).toMatchObject({ certainty: 'significant', direction: 'worse', verdict: 'regression' });
    expect(found.changePercent).toBeCloseTo(-20, 2);
    expect(found.intervalPercent?.low).toBeLessThan(-20);
    expect(found.intervalPercent?.high).toBeGreaterThan(-22);
    expect(found.probability).toBeLessThan(1e-6);
  });

  test('a significant drop below the limit is not a regression', () => {
    expect(change([100, 101, 99, 100, 100], [95, 96, 94, 95, 95])).toMatchObject({
      certainty: 'significant',
      direction: 'worse',
      verdict: 'fine',
    });
  });

  test('a change within the noise is noise, and could hide a regression', () => {
    expect(change([100, 60, 140], [80, 50, 120])).toMatchObject({
      certainty: 'noise',
      direction: null,
      verdict: 'unsure',
    });
  });

  test('noise too small to hide a regression is fine', () => {
    expect(change([100, 101, 99, 100], [100, 99, 101, 100])).toMatchObject({
      certainty: 'noise',
      verdict: 'fine',
    });
  });

  test('doubling is a regression only if less is better', () => {
    const [before, after] = [
      [10, 11, 9, 10],
      [20, 21, 19, 20],
    ] as const;
    expect(change(before, after)).toMatchObject({ direction: 'better', verdict: 'fine' });
    expect(change(before, after, { better: 'less' })).toMatchObject({
      direction: 'worse',
      verdict: 'regression',
    });
    expect(change(before, after, { better: null })).toMatchObject({ direction: null, verdict: 'fine' });
  });

  test('with more figures each needs stronger evidence', () => {
    const [before, after] = [
      [100, 102, 98, 101, 99],
      [97, 98, 96, 99.5, 95],
    ] as const;
    const alone = change(before, after);
    const names = Array.from({ length: 12 }, (_, at) => `write${at}`);
    const many = compareSubjects(
      subject(names.map((name) => sample(before, { name }))),
      subject(names.map((name) => sample(after, { name }))),
    );
    expect(alone.certainty).toBe('significant');
    expect(many.changes.map(({ certainty }) => certainty)).toEqual(names.map(() => 'noise'));
    expect(many.changes[0]?.probability).toBe(alone.probability);
  });
});

test('the limit of a regression can be set', () => {
  const [before, after] = [subject([sample([100])]), subject([sample([94])])];
  const regressions = [10, 5, 0].map((maxRegressionPercent) =>
    changesWith('regression', compareSubjects(before, after, { maxRegressionPercent })),
  );
  expect(regressions.map(({ length }) => length)).toEqual([0, 1, 1]);
});

test('a figure that is only shown is never a regression', () => {
  const shown = { role: 'shown', name: 'write.p99', better: 'less' } as const;
  const comparison = compareSubjects(
    subject([sample([1]), sample([10], shown)]),
    subject([sample([1]), sample([99], shown)]),
  );
  expect(comparison.changes.map(({ name, verdict, direction }) => [name, verdict, direction])).toEqual([
    ['write', 'fine', null],
    ['write.p99', null, 'worse'],
  ]);
});

test('a change from 0 has no percentage, and one to 0 is -100 %', () => {
  expect(change([0], [5])).toMatchObject({ changePercent: null, direction: 'better', verdict: 'fine' });
  expect(change([5], [0])).toMatchObject({ changePercent: -100, verdict: 'regression' });
  expect(change([0, 0], [0, 0])).toMatchObject({
    changePercent: 0,
    intervalPercent: null,
    verdict: 'fine',
  });
});

test('metrics that one side lacks, or has in another unit, are left out', () => {
  const comparison = compareSubjects(
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
    compareSubjects(subject([sample([1])]), subject([sample([1], { name: 'read' })], { name: 'b' })),
  ).toThrow(
    expect.objectContaining({ code: 'option-invalid', message: 'a.json and b have no figure in common' }),
  );
});

test('the first documents of both sides are compared, the others with their first, and each difference is listed once', () => {
  const threads = (value: number) => [{ name: '--threads', value }];
  const before = subject([sample([1])], { facts: [threads(2), threads(2)] });
  const after = subject([sample([1])], { name: 'b', facts: [threads(2), threads(3), threads(3)] });
  expect(compareSubjects(before, after).differences).toEqual([
    { name: '--threads', before: '2', after: '3', within: 'b' },
  ]);
  expect(compareSubjects(before, subject([sample([1])], { facts: [threads(3)] })).differences).toEqual([
    { name: '--threads', before: '2', after: '3' },
  ]);
  expect(compareSubjects(before, before).differences).toEqual([]);
});

test('a noted difference does not prevent a verdict', () => {
  const onProcessor = (value: string) => ({ facts: [[{ name: 'processor', value, isNote: true }]] });
  const [before, after] = [
    subject([sample([100])], onProcessor('A')),
    subject([sample([50])], onProcessor('B')),
  ];
  const comparison = compareSubjects(before, after);
  expect(comparison).toMatchObject({
    differences: [],
    notes: [{ name: 'processor', before: 'A', after: 'B' }],
  });
  expect(changesWith('regression', comparison)).toHaveLength(1);
  expect(foreseenDifferences(before, after)).toEqual([]);
});
