import { describe, expect, test } from 'vitest';
import type { Measurement } from '../../src/report/schema/report.js';
import type { TargetRuns } from '../../src/report/statistics/figures.js';
import { hasEnoughRuns, spreadWarnings } from '../../src/run/repeat.js';
import { measurementWith, runsAt, runWith } from '../support/data/fixtures.js';

/** Runs of a write at these rates, on a disk. */
function onDisk(...rates: readonly number[]): TargetRuns {
  return { runs: runsAt(...rates), target: { isMemory: false } };
}

const ONCE = { runs: 1, seconds: 0, untilStable: undefined, maxRuns: 30 };
const UNTIL_STABLE = { ...ONCE, untilStable: 5 };

describe('--runs', () => {
  test.each([
    [1, 1, true],
    [2, 3, false],
    [3, 3, true],
    [4, 3, true],
  ])('after %i of %i runs it is enough: %s', (done, runs, enough) => {
    expect(hasEnoughRuns(onDisk(...new Array(done).fill(100)), 0, { ...ONCE, runs })).toBe(enough);
  });
});

describe('--seconds', () => {
  test.each([
    [0, 0, true],
    [59.99, 60, false],
    [60, 60, true],
    [3600, 60, true],
  ])('after %f of %f seconds one run is enough: %s', (elapsed, seconds, enough) => {
    expect(hasEnoughRuns(onDisk(100), elapsed, { ...ONCE, seconds })).toBe(enough);
  });

  test('and --runs must both be reached', () => {
    expect(hasEnoughRuns(onDisk(100), 3600, { ...ONCE, runs: 2, seconds: 60 })).toBe(false);
    expect(hasEnoughRuns(onDisk(100, 100, 100), 1, { ...ONCE, runs: 2, seconds: 60 })).toBe(false);
  });
});

describe('--until-stable', () => {
  test('continues until every figure is stable', () => {
    expect(hasEnoughRuns(onDisk(100, 101), 0, UNTIL_STABLE)).toBe(false);
    expect(hasEnoughRuns(onDisk(100, 101, 100), 0, UNTIL_STABLE)).toBe(true);
    expect(hasEnoughRuns(onDisk(100, 150, 100), 0, UNTIL_STABLE)).toBe(false);
  });

  test("looks at the disk's rates, and where there are none at those as timed", () => {
    const rates = [1000, 2000, 3000];
    const timedAt = (durable: Measurement['durable']) => ({
      ...onDisk(),
      runs: rates.map((bytesPerSecond) =>
        runWith({ measurements: [measurementWith({ bytesPerSecond, durable })] }),
      ),
    });
    const slower = { seconds: 1, bytesPerSecond: 100 };
    expect(hasEnoughRuns(timedAt(slower), 0, UNTIL_STABLE)).toBe(true);
    expect(hasEnoughRuns({ ...timedAt(slower), target: { isMemory: true } }, 0, UNTIL_STABLE)).toBe(false);
    expect(hasEnoughRuns(timedAt(null), 0, UNTIL_STABLE)).toBe(false);
  });

  test('gives up after --max-runs', () => {
    const wild = onDisk(100, 200, 100, 200);
    expect(hasEnoughRuns(wild, 0, { ...UNTIL_STABLE, maxRuns: 5 })).toBe(false);
    expect(hasEnoughRuns(wild, 0, { ...UNTIL_STABLE, maxRuns: 4 })).toBe(true);
  });

  test('does not end before --runs and --seconds, even with stable figures', () => {
    const calm = onDisk(100, 100, 100);
    expect(hasEnoughRuns(calm, 0, { ...UNTIL_STABLE, runs: 4 })).toBe(false);
    expect(hasEnoughRuns(calm, 59, { ...UNTIL_STABLE, seconds: 60 })).toBe(false);
    expect(hasEnoughRuns(calm, 60, { ...UNTIL_STABLE, seconds: 60 })).toBe(true);
  });

  test('does not give up before --runs', () => {
    expect(hasEnoughRuns(onDisk(100, 200, 100), 0, { ...UNTIL_STABLE, runs: 4, maxRuns: 3 })).toBe(false);
  });

  test('is not applied without the option', () => {
    expect(hasEnoughRuns(onDisk(100, 200), 0, { ...ONCE, runs: 2 })).toBe(true);
  });
});

describe('the warning that the figures are not stable', () => {
  const isUnstable = (measured: TargetRuns, wanted: Parameters<typeof spreadWarnings>[1]) =>
    spreadWarnings(measured, wanted).some(({ code }) => code === 'not-stable');

  test('gives the number of runs, the goal, and what to do', () => {
    expect(spreadWarnings(onDisk(100, 200, 100, 200), { ...UNTIL_STABLE, maxRuns: 4 })).toEqual([
      {
        code: 'not-stable',
        phase: null,
        message: 'after 4 runs, some confidence intervals are still wider than ±5 % of the mean',
        hint: 'stop other programs, or pass a larger --until-stable or --max-runs than 4',
      },
    ]);
  });

  test.each([
    ['stable figures', onDisk(100, 101, 100), UNTIL_STABLE],
    ['runs without --until-stable', onDisk(100, 200, 300), ONCE],
  ])('is not given for %s', (_, measured, wanted) => {
    expect(isUnstable(measured, wanted)).toBe(false);
  });

  test('is given exactly when the runs ended before they were stable', () => {
    for (const measured of [onDisk(100, 101, 100), onDisk(100, 160, 100), onDisk(100, 200, 100, 200)]) {
      const wanted = { ...UNTIL_STABLE, maxRuns: measured.runs.length };
      expect(hasEnoughRuns(measured, 0, wanted)).toBe(true);
      const isStable = hasEnoughRuns(measured, 0, { ...wanted, maxRuns: measured.runs.length + 1 });
      expect(isUnstable(measured, wanted)).toBe(!isStable);
    }
  });
});

describe('a mean that hides how the runs are spread', () => {
  test.each([
    [
      'has both speeds named if there are two, and nothing between them',
      [800e6, 1850e6, 790e6, 1900e6, 810e6],
      'bimodal',
      'results are bimodal: about 800 MB/s in 3 runs, 1875 MB/s in 2 runs; the mean matches neither',
    ],
    [
      'has the runs named that are far from the others',
      [100e6, 101e6, 99e6, 20e6, 100e6],
      'outliers',
      'some runs are outliers: 20 MB/s',
    ],
  ])('%s', (_, rates, code, message) => {
    expect(spreadWarnings(onDisk(...rates), ONCE)).toEqual([
      expect.objectContaining({ code, phase: 'write', message }),
    ]);
  });

  test.each([
    ['runs around their mean', [100, 110, 90, 105, 95]],
    ['evenly spread runs', [100, 150, 200, 250, 300]],
    ['equal runs', [100, 100, 100, 100, 100]],
    ['a run that is a little off equal ones', [100, 100, 100, 100, 110]],
    ['two speeds that are close', [100, 101, 130, 131, 100]],
    ['too few runs to tell', [100, 101, 300, 301]],
  ])('is no concern for %s', (_, rates) => {
    expect(spreadWarnings(onDisk(...rates), ONCE)).toEqual([]);
  });
});
