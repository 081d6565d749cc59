import { describe, expect, test } from 'vitest';
import type { Run } from '../../src/report/schema/report.js';
import { areStable } from '../../src/report/statistics/step-statistics.js';
import { hasTimeForRound, isEnough, spreadWarnings } from '../../src/run/repeat.js';
import { measurementWith, runsAt, runWith } from '../support/data/fixtures.js';

const ONCE = { runs: 1, seconds: 0, untilStable: undefined, maxRuns: 30 };
const UNTIL_STABLE = { ...ONCE, untilStable: 5 };

function isEnoughFor(runs: readonly Run[], elapsedSeconds: number, options: Parameters<typeof isEnough>[2]) {
  const isStable = (withinPercent: number) => areStable(runs, withinPercent);
  return isEnough(runs.length, elapsedSeconds, options, () => true, isStable);
}

test.each([
  ['fewer than --runs', [100, 100], 0, { ...ONCE, runs: 3 }, false],
  ['--runs', [100, 100, 100], 0, { ...ONCE, runs: 3 }, true],
  ['more than --runs', [100, 100], 0, ONCE, true],
  ['--runs, but not --seconds', [100], 59.99, { ...ONCE, seconds: 60 }, false],
  ['--runs and --seconds', [100], 60, { ...ONCE, seconds: 60 }, true],
  ['--seconds, but not --runs', [100], 3600, { ...ONCE, runs: 2, seconds: 60 }, false],
  ['--runs with different rates', [100, 200], 0, { ...ONCE, runs: 2 }, true],
  ['two stable runs', [100, 101], 0, UNTIL_STABLE, false],
  ['three stable runs', [100, 101, 100], 0, UNTIL_STABLE, true],
  ['three unstable runs', [100, 150, 100], 0, UNTIL_STABLE, false],
  ['--max-runs unstable runs', [100, 200, 100, 200], 0, { ...UNTIL_STABLE, maxRuns: 4 }, true],
  ['stable runs before --runs', [100, 100, 100], 0, { ...UNTIL_STABLE, runs: 4 }, false],
  ['stable runs before --seconds', [100, 100, 100], 59, { ...UNTIL_STABLE, seconds: 60 }, false],
  ['--max-runs unstable runs before --runs', [1, 2, 1], 0, { ...UNTIL_STABLE, runs: 4, maxRuns: 3 }, false],
])('after %s, isEnough returns the right answer', (_, rates, elapsedSeconds, options, expected) => {
  expect(isEnoughFor(runsAt(...rates), elapsedSeconds, options)).toBe(expected);
});

test('a round starts only if it would probably end within the limit', () => {
  expect(hasTimeForRound(4, 48, 60)).toBe(true);
  expect(hasTimeForRound(4, 49, 60)).toBe(false);
});

test('stability depends on the rates as timed where the device did not serve them', () => {
  const runs = [1000, 2000, 3000].map((bytesPerSecond) =>
    runWith({ measurements: [measurementWith({ bytesPerSecond })] }),
  );
  expect(isEnoughFor(runs, 0, UNTIL_STABLE)).toBe(false);
});

describe('the warning about unstable results', () => {
  const isUnstable = (...parameters: Parameters<typeof spreadWarnings>) =>
    spreadWarnings(...parameters).some(({ code }) => code === 'not-stable');

  test('the warning has the number of runs, the goal and a hint', () => {
    expect(spreadWarnings(runsAt(100, 200, 100, 200), { ...UNTIL_STABLE, maxRuns: 4 })).toEqual([
      {
        code: 'not-stable',
        step: null,
        message: 'after 4 runs, some confidence intervals are still wider than ±5 % of the mean',
        hint: 'stop other programs, or pass a larger --until-stable or --max-runs than 4',
      },
    ]);
  });

  test.each([
    ['stable results', runsAt(100, 101, 100), UNTIL_STABLE],
    ['runs without --until-stable', runsAt(100, 200, 300), ONCE],
  ])('%s raise no warning', (_, measured, wanted) => {
    expect(isUnstable(measured, wanted)).toBe(false);
  });
});

describe('a mean that hides the distribution of the runs', () => {
  test.each([
    [
      'a warning names both speeds if the results are bimodal',
      [800e6, 1700e6, 790e6, 2000e6, 810e6],
      'bimodal',
      'results are bimodal: about 800 MB/s in 3 runs, 1844 MB/s in 2 runs; the mean matches neither',
    ],
    [
      'a warning names outliers',
      [100e6, 101e6, 99e6, 20e6, 100e6],
      'outliers',
      'some runs are outliers: 20 MB/s',
    ],
  ])('%s', (_, rates, code, message) => {
    expect(spreadWarnings(runsAt(...rates), ONCE)).toEqual([
      expect.objectContaining({ code, step: 'write', message }),
    ]);
  });

  test.each([
    ['runs around their mean', [100, 110, 90, 105, 95]],
    ['evenly spread runs', [100, 150, 200, 250, 300]],
    ['equal runs', [100, 100, 100, 100, 100]],
    ['a run that differs a little from equal runs', [100, 100, 100, 100, 110]],
    ['two similar speeds', [100, 101, 130, 131, 100]],
    ['too few runs', [100, 101, 300, 301]],
  ])('there is no warning for %s', (_, rates) => {
    expect(spreadWarnings(runsAt(...rates), ONCE)).toEqual([]);
  });
});
