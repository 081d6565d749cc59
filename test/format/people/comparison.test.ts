import { describe, expect, test } from 'vitest';
import { compareSubjects } from '../../../src/compare/comparison.js';
import { comparisonsSchema } from '../../../src/compare/documents.js';
import type { MetricSample, Subject } from '../../../src/compare/subject.js';
import { comparisonFormats } from '../../../src/format/people/comparison.js';

function sample(name: string, values: readonly number[], facts: Partial<MetricSample> = {}): MetricSample {
  return {
    ...{ name, unit: 'bytesPerSecond', better: 'more', role: 'judged' },
    ...{ values, timed: values, isOfDisk: true, isOnlyTimed: false },
    ...facts,
  };
}

function subject(name: string, samples: readonly MetricSample[], facts: Subject['facts'] = [[]]): Subject {
  return { name, facts, samples, timedBecause: null };
}

const P99 = { unit: 'nanoseconds', better: 'less', role: 'shown' } as const;
const before = subject('before.json', [
  sample('write', [748e6, 750e6, 746e6]),
  sample('write.p99', [1e6, 1.1e6, 0.9e6], P99),
  sample('read', [1e9, 0.6e9, 1.4e9]),
]);
const after = subject('after.json', [
  sample('write', [600e6, 602e6, 598e6]),
  sample('write.p99', [1e6, 1.2e6, 0.9e6], P99),
  sample('read', [0.9e9, 1.4e9, 0.7e9]),
]);

describe('as text', () => {
  test('every figure has a row with its change and certainty, and a verdict', () => {
    expect(comparisonFormats.text([compareSubjects(before, after)]).split('\n')).toEqual([
      '           before.json  after.json  change',
      expect.stringMatching(
        /^write {9}748 MB\/s {4}600 MB\/s {2}-19\.8 % \(-20\.5 % to -19\.1 %\) REGRESSION$/,
      ),
      'write.p99       997 µs     1.03 ms  +2.9 % noise',
      'read        943.5 MB/s    959 MB/s  +1.6 % noise',
      "geometric means; Welch's t-test on logarithms, 95 % confidence for all 2 figures together",
      'after.json: regression of more than 10 %: write -19.8 %',
      'after.json: too noisy to tell: read (could hide a regression of more than 10 %; use more --runs)',
      '',
    ]);
  });

  test('single runs are reported as not tested', () => {
    const [one, other] = [subject('a', [sample('write', [100e6])]), subject('b', [sample('write', [95e6])])];
    expect(comparisonFormats.text([compareSubjects(one, other)]).split('\n')).toEqual([
      '              a        b  change',
      'write  100 MB/s  95 MB/s  -5.0 % worse',
      'not tested: a single run cannot tell change from noise; use --runs 5',
      'b: no regression of more than 10 %: write',
      '',
    ]);
  });

  test('several comparisons are columns; a missing figure is empty', () => {
    const third = subject('third.json', [sample('read', [1e9, 1e9])]);
    const [head, write, p99, read] = comparisonFormats
      .text([compareSubjects(before, after), compareSubjects(before, third)])
      .split('\n');
    expect(head?.split(/ {2,}/)).toEqual(['', 'before.json', 'after.json', 'change', 'third.json', 'change']);
    expect(write?.split(/ {2,}/)).toHaveLength(4);
    expect(p99?.split(/ {2,}/)).toHaveLength(4);
    expect(read?.split(/ {2,}/)).toHaveLength(6);
  });

  describe('a difference', () => {
    const [two, four] = [2, 4].map((value) => [[{ name: '--threads', value }]]);
    const sides = [
      subject('before.json', before.samples, two),
      subject('after.json', after.samples, four),
    ] as const;

    test('is listed, and prevents a verdict', () => {
      const text = comparisonFormats.text([compareSubjects(...sides)]);
      expect(text).toContain('\ndifference: --threads is 2 in before.json and 4 in after.json\n');
      expect(text).toMatch(/^write .* -19\.8 % \(-20\.5 % to -19\.1 %\) worse$/m);
      expect(text).not.toMatch(/regression/i);
    });

    test('within one side names that side', () => {
      const several = subject('list.json', before.samples, [...(two ?? []), ...(four ?? [])]);
      const text = comparisonFormats.text([
        compareSubjects(several, subject('after.json', after.samples, two)),
      ]);
      expect(text).toContain('\ndifference: --threads is 2 and 4 within list.json\n');
      expect(text).not.toContain('and 2 in after.json');
    });

    test('does not prevent a verdict with force', () => {
      const text = comparisonFormats.text([compareSubjects(...sides, { force: true })]);
      expect(text).toContain('\nafter.json: regression of more than 10 %: write -19.8 %\n');
      expect(text).toContain('\ndifference: ');
    });
  });

  test('0 in both is no change, and a change from 0 has no percentage', () => {
    const [nothing, something] = [
      [0, 0],
      [3, 3],
    ].map((values) => subject('x', [sample('write', [1, 1]), sample('seeks', values)]));
    if (!nothing || !something) throw new Error('both exist');
    const rowOf = (one: Subject, other: Subject) =>
      comparisonFormats
        .text([compareSubjects(one, other)])
        .split('\n')
        .find((line) => line.startsWith('seeks'));
    expect(rowOf(nothing, nothing)).toMatch(/ same$/);
    expect(rowOf(nothing, something)).toMatch(/ from 0$/);
  });

  test('names cannot control the terminal', () => {
    const steering = 'x\u001b[31m\u202e.json';
    const text = comparisonFormats.text([compareSubjects(subject(steering, before.samples), after)]);
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cf}\p{Cc}]/u);
  });
});

test('the Markdown is a table and its conclusions, with names as plain text', () => {
  const text = comparisonFormats.markdown([compareSubjects(subject('a|<b>.json', before.samples), after)]);
  const [head, rule, ...rest] = text.split('\n');
  expect(head).toBe('|  | a&#124;&#60;b&#62;.json | after.json | change |');
  expect(rule).toBe('| --- | --: | --: | --- |');
  expect(rest[0]).toMatch(/^\| write \| 748 MB\/s \| 600 MB\/s \| -19\.8 % .* REGRESSION \|$/);
  expect(rest).toContain('- after.json: regression of more than 10 %: write -19.8 %');
});

test('the JSON is the whole comparison on one line', () => {
  const comparison = compareSubjects(before, after);
  const text = comparisonFormats.json([comparison]);
  expect(text.indexOf('\n')).toBe(text.length - 1);
  expect(JSON.parse(text)).toEqual({ schema: 'gobonnie-comparison/1', comparisons: [comparison] });
});

test.each([
  ['several runs', before, after],
  ['single runs', subject('a', [sample('write', [100e6])]), subject('b', [sample('write', [95e6])])],
  ['0 before', subject('a', [sample('write', [0, 0])]), subject('b', [sample('write', [95e6, 1])])],
  [
    'figures whose change is infinite',
    subject('a', [sample('write', [1e-300, 1e300])]),
    subject('b', [sample('write', [1e308, 1e-308])]),
  ],
])('the JSON matches its schema: %s', (_, one, other) => {
  const document = JSON.parse(comparisonFormats.json([compareSubjects(one, other)]));
  expect(comparisonsSchema.parse(document)).toEqual(document);
});
