import {
  type ComparisonMethod,
  compare,
  formats,
  GobonnieError,
  type GobonniegoJson,
  type Report,
} from 'gobonnie';
import { describe, expect, test } from 'vitest';
import { reportWith, runsAt, runWith } from '../support/data/fixtures.js';

const steady = reportWith({ runs: runsAt(100, 101, 99, 100, 100) });
const slower = reportWith({ runs: runsAt(80, 81, 79, 80, 80) });
const wild = reportWith({ runs: runsAt(30, 170, 40, 160, 100) });
const once = reportWith({ runs: [runWith()] });

test.each([
  ['pass', steady, steady],
  ['pass', slower, steady],
  ['regression', steady, slower],
  ['inconclusive', steady, wild],
  ['incomparable', steady, { ...slower, options: { ...slower.options, threads: 3 } }],
] as const)('compare returns the verdict %s: %#', (verdict, before, after) => {
  expect(compare(before, after).verdict).toBe(verdict);
});

describe('a side may be', () => {
  const document: GobonniegoJson = JSON.parse(formats.json(once));

  test.each([
    ['a report', once],
    ['its text', formats.report(once)],
    ['a list of reports', [once]],
    ["gobonniego's document", document],
    ['its text', formats.json(once)],
    ["bonnie++'s CSV", formats['bonnie++-csv'](once)],
  ])('%s', (_, side) => {
    const { changes } = compare(side, side);
    expect(changes.find(({ name }) => name === 'write')).toMatchObject({
      significance: 'untested',
      changePercent: 0,
    });
  });

  test('named', () => {
    expect(compare(once, once)).toMatchObject({ before: 'before', after: 'after', method: 'welch' });
    expect(compare(once, once, { names: ['v1', 'v2'] })).toMatchObject({ before: 'v1', after: 'v2' });
  });
});

describe('compare rejects', () => {
  test('different numbers of runs with the method paired', () => {
    const three = reportWith({ runs: runsAt(60, 100, 80) });
    const two = reportWith({ runs: runsAt(48, 81) });
    expect(() => compare(three, two, { method: 'paired' })).toThrow(
      'cannot pair the runs: write has 3 before and 2 after',
    );
  });

  test.each<[string, unknown, string]>([
    ['null', null, 'before is null, not a result'],
    ['another document', { hello: 1 }, 'before cannot be read'],
    ['a damaged report', { ...steady, runs: 'none' }, 'before cannot be read: its runs is invalid'],
    ['an empty list', [], 'before holds no complete run'],
    ['a report without a run', reportWith(), 'before holds no complete run'],
  ])('%s', (_, side, message) => {
    expect(() => compare(side as Report, steady)).toThrow(GobonnieError);
    expect(() => compare(side as Report, steady)).toThrow(message);
  });

  test.each([-1, 101, Number.NaN])('a limit of %s percent', (maxRegressionPercent) => {
    expect(() => compare(steady, steady, { maxRegressionPercent })).toThrow(
      `invalid maxRegressionPercent ${maxRegressionPercent}: expected a number from 0 to 100`,
    );
  });

  test('an unknown method', () => {
    const method = 'guess' as ComparisonMethod;
    expect(() => compare(steady, steady, { method })).toThrow('unknown method guess');
  });
});
