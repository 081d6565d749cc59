import { describe, expect, test } from 'vitest';
import type { Run } from '../../src/report/schema/report.js';
import { isEnough, unstableWarning } from '../../src/run/repeat.js';
import { measurementWith, runWith } from '../support/data/fixtures.js';

const ONCE = { runs: 1, seconds: 0, untilStable: undefined, maxRuns: 30 };
const UNTIL_STABLE = { ...ONCE, untilStable: 5 };

/** Complete runs of one phase with these rates. */
function runsOf(...rates: readonly number[]): readonly Run[] {
  return rates.map((bytesPerSecond) => runWith({ measurements: [measurementWith({ bytesPerSecond })] }));
}

describe('--runs', () => {
  test.each([
    [1, 1, true],
    [2, 3, false],
    [3, 3, true],
    [4, 3, true],
  ])('after %i of %i runs it is enough: %s', (done, runs, enough) => {
    expect(isEnough(runsOf(...new Array(done).fill(100)), 0, { ...ONCE, runs })).toBe(enough);
  });
});

describe('--seconds', () => {
  test.each([
    [0, 0, true],
    [59.99, 60, false],
    [60, 60, true],
    [3600, 60, true],
  ])('after %f of %f seconds one run is enough: %s', (elapsed, seconds, enough) => {
    expect(isEnough(runsOf(100), elapsed, { ...ONCE, seconds })).toBe(enough);
  });

  test('and --runs must both be reached', () => {
    expect(isEnough(runsOf(100), 3600, { ...ONCE, runs: 2, seconds: 60 })).toBe(false);
    expect(isEnough(runsOf(100, 100, 100), 1, { ...ONCE, runs: 2, seconds: 60 })).toBe(false);
  });
});

describe('--until-stable', () => {
  test('continues until every figure is stable', () => {
    expect(isEnough(runsOf(100, 101), 0, UNTIL_STABLE)).toBe(false);
    expect(isEnough(runsOf(100, 101, 100), 0, UNTIL_STABLE)).toBe(true);
    expect(isEnough(runsOf(100, 150, 100), 0, UNTIL_STABLE)).toBe(false);
  });

  test('gives up after --max-runs', () => {
    const wild = runsOf(100, 200, 100, 200);
    expect(isEnough(wild, 0, { ...UNTIL_STABLE, maxRuns: 5 })).toBe(false);
    expect(isEnough(wild, 0, { ...UNTIL_STABLE, maxRuns: 4 })).toBe(true);
  });

  test('does not end before --runs and --seconds, even with stable figures', () => {
    const calm = runsOf(100, 100, 100);
    expect(isEnough(calm, 0, { ...UNTIL_STABLE, runs: 4 })).toBe(false);
    expect(isEnough(calm, 59, { ...UNTIL_STABLE, seconds: 60 })).toBe(false);
    expect(isEnough(calm, 60, { ...UNTIL_STABLE, seconds: 60 })).toBe(true);
  });

  test('does not give up before --runs', () => {
    expect(isEnough(runsOf(100, 200, 100), 0, { ...UNTIL_STABLE, runs: 4, maxRuns: 3 })).toBe(false);
  });

  test('is not applied without the option', () => {
    expect(isEnough(runsOf(100, 200), 0, { ...ONCE, runs: 2 })).toBe(true);
  });
});

describe('the warning that the figures are not stable', () => {
  test('says after how many runs, how stable they should be, and what to do', () => {
    expect(unstableWarning(runsOf(100, 200, 100, 200), { ...UNTIL_STABLE, maxRuns: 4 })).toEqual({
      code: 'not-stable',
      phase: null,
      message: 'after 4 runs the figures are still not within 5 % of their means',
      hint: 'look for what else uses the machine, or pass a larger --until-stable or --max-runs than 4',
    });
  });

  test.each([
    ['stable figures', runsOf(100, 101, 100), UNTIL_STABLE],
    ['runs without --until-stable', runsOf(100, 200, 300), ONCE],
  ])('is not given for %s', (_, runs, wanted) => {
    expect(unstableWarning(runs, wanted)).toBeNull();
  });

  test('is given exactly when the runs ended before they were stable', () => {
    for (const runs of [runsOf(100, 101, 100), runsOf(100, 160, 100), runsOf(100, 200, 100, 200)]) {
      const wanted = { ...UNTIL_STABLE, maxRuns: runs.length };
      expect(isEnough(runs, 0, wanted)).toBe(true);
      const isStable = isEnough(runs, 0, { ...wanted, maxRuns: runs.length + 1 });
      expect(unstableWarning(runs, wanted) === null).toBe(isStable);
    }
  });
});
