import {
  type ComparisonMethod,
  compare,
  formats,
  GobonnieError,
  type GobonniegoJson,
  type Report,
  type Run,
} from 'gobonnie';
import { describe, expect, test } from 'vitest';
import { reportWith, runWith } from '../support/data/fixtures.js';

/** Runs whose writes are these percentages of the usual rate. */
function runsAt(...percents: readonly number[]): Run[] {
  return percents.map((percent) => {
    const run = runWith();
    const measurements = run.measurements.map((one) =>
      one.step === 'write' ? { ...one, bytesPerSecond: 1e7 * percent } : one,
    );
    return { ...run, measurements };
  });
}

const steady = reportWith({ runs: runsAt(100, 101, 99, 100, 100) });
const slower = reportWith({ runs: runsAt(80, 81, 79, 80, 80) });
const wild = reportWith({ runs: runsAt(30, 170, 40, 160, 100) });
const once = reportWith({ runs: runsAt(100) });

test.each([
  ['pass', steady, steady],
  ['pass', slower, steady],
  ['regression', steady, slower],
  ['inconclusive', steady, wild],
  ['incomparable', steady, { ...slower, options: { ...slower.options, threads: 3 } }],
] as const)('compare returns the verdict %s: %#', (verdict, before, after) => {
  expect(compare(before, after).verdict).toBe(verdict);
});

test('the method paired ignores noise that disturbs both runs of a pair', () => {
  const one = reportWith({ runs: runsAt(60, 100, 80, 120, 90) });
  const other = reportWith({ runs: runsAt(48, 81, 63, 96, 72) });
  expect(compare(one, other)).toMatchObject({ method: 'welch', verdict: 'inconclusive' });
  expect(compare(one, other, { method: 'paired' })).toMatchObject({
    method: 'paired',
    verdict: 'regression',
  });
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
    expect(compare(once, once)).toMatchObject({ before: 'before', after: 'after' });
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
    ['a number', 7, 'before is 7, not a result'],
    ['another document', { hello: 1 }, 'before cannot be read'],
    ['a damaged report', { ...steady, runs: 'none' }, 'before cannot be read: its runs is invalid'],
    ['a report of another version', { schema: 'gobonnie/9' }, 'its schema is gobonnie/9'],
    ['half of a report', formats.report(steady).slice(0, 500), 'before cannot be read'],
    ['an empty text', '', 'before cannot be read: it is empty'],
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
