import { describe, expect, test } from 'vitest';
import type { Measurement } from '../../src/report/schema/report.js';
import type { TargetRuns } from '../../src/report/statistics/phase-statistics.js';
import { hasEnoughRuns, spreadWarnings } from '../../src/run/repeat.js';
import { measurementWith, runsAt, runWith } from '../support/data/fixtures.js';

/** Returns runs of a write on a disk with these rates. */
function runsOnDisk(...rates: readonly number[]): TargetRuns {
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
  ])('after %i of %i runs, hasEnoughRuns returns %s', (done, runs, enough) => {
    expect(hasEnoughRuns(runsOnDisk(...new Array(done).fill(100)), 0, { ...ONCE, runs })).toBe(enough);
  });
});

describe('--seconds', () => {
  test.each([
    [0, 0, true],
    [59.99, 60, false],
    [60, 60, true],
    [3600, 60, true],
  ])('after %f of %f seconds and one run, hasEnoughRuns returns %s', (elapsed, seconds, enough) => {
    expect(hasEnoughRuns(runsOnDisk(100), elapsed, { ...ONCE, seconds })).toBe(enough);
  });

  test('--seconds and --runs must both be reached', () => {
    expect(hasEnoughRuns(runsOnDisk(100), 3600, { ...ONCE, runs: 2, seconds: 60 })).toBe(false);
    expect(hasEnoughRuns(runsOnDisk(100, 100, 100), 1, { ...ONCE, runs: 2, seconds: 60 })).toBe(false);
  });
});

describe('--until-stable', () => {
  test('runs continue until every result is stable', () => {
    expect(hasEnoughRuns(runsOnDisk(100, 101), 0, UNTIL_STABLE)).toBe(false);
    expect(hasEnoughRuns(runsOnDisk(100, 101, 100), 0, UNTIL_STABLE)).toBe(true);
    expect(hasEnoughRuns(runsOnDisk(100, 150, 100), 0, UNTIL_STABLE)).toBe(false);
  });

  test('stability depends on the durable rates, or without durable rates on the timed rates', () => {
    const rates = [1000, 2000, 3000];
    const runsWithDurable = (durable: Measurement['durable']) => ({
      ...runsOnDisk(),
      runs: rates.map((bytesPerSecond) =>
        runWith({ measurements: [measurementWith({ bytesPerSecond, durable })] }),
      ),
    });
    const slower = { seconds: 1, bytesPerSecond: 100 };
    expect(hasEnoughRuns(runsWithDurable(slower), 0, UNTIL_STABLE)).toBe(true);
    expect(hasEnoughRuns({ ...runsWithDurable(slower), target: { isMemory: true } }, 0, UNTIL_STABLE)).toBe(
      false,
    );
    expect(hasEnoughRuns(runsWithDurable(null), 0, UNTIL_STABLE)).toBe(false);
  });

  test('unstable runs end after --max-runs', () => {
    const wild = runsOnDisk(100, 200, 100, 200);
    expect(hasEnoughRuns(wild, 0, { ...UNTIL_STABLE, maxRuns: 5 })).toBe(false);
    expect(hasEnoughRuns(wild, 0, { ...UNTIL_STABLE, maxRuns: 4 })).toBe(true);
  });

  test('runs do not end before --runs and --seconds, even with stable results', () => {
    const calm = runsOnDisk(100, 100, 100);
    expect(hasEnoughRuns(calm, 0, { ...UNTIL_STABLE, runs: 4 })).toBe(false);
    expect(hasEnoughRuns(calm, 59, { ...UNTIL_STABLE, seconds: 60 })).toBe(false);
    expect(hasEnoughRuns(calm, 60, { ...UNTIL_STABLE, seconds: 60 })).toBe(true);
  });

  test('unstable runs do not end before --runs', () => {
    expect(hasEnoughRuns(runsOnDisk(100, 200, 100), 0, { ...UNTIL_STABLE, runs: 4, maxRuns: 3 })).toBe(false);
  });

  test('without --until-stable, unstable runs end after --runs', () => {
    expect(hasEnoughRuns(runsOnDisk(100, 200), 0, { ...ONCE, runs: 2 })).toBe(true);
  });
});

describe('the warning about unstable results', () => {
  const isUnstable = (measured: TargetRuns, wanted: Parameters<typeof spreadWarnings>[1]) =>
    spreadWarnings(measured, wanted).some(({ code }) => code === 'not-stable');

  test('the warning has the number of runs, the goal and a hint', () => {
    expect(spreadWarnings(runsOnDisk(100, 200, 100, 200), { ...UNTIL_STABLE, maxRuns: 4 })).toEqual([
      {
        code: 'not-stable',
        phase: null,
        message: 'after 4 runs, some confidence intervals are still wider than ±5 % of the mean',
        hint: 'stop other programs, or pass a larger --until-stable or --max-runs than 4',
      },
    ]);
  });

  test.each([
    ['stable results', runsOnDisk(100, 101, 100), UNTIL_STABLE],
    ['runs without --until-stable', runsOnDisk(100, 200, 300), ONCE],
  ])('%s raise no warning', (_, measured, wanted) => {
    expect(isUnstable(measured, wanted)).toBe(false);
  });

  test('the warning appears exactly if the runs ended before they were stable', () => {
    for (const measured of [
      runsOnDisk(100, 101, 100),
      runsOnDisk(100, 160, 100),
      runsOnDisk(100, 200, 100, 200),
    ]) {
      const wanted = { ...UNTIL_STABLE, maxRuns: measured.runs.length };
      expect(hasEnoughRuns(measured, 0, wanted)).toBe(true);
      const isStable = hasEnoughRuns(measured, 0, { ...wanted, maxRuns: measured.runs.length + 1 });
      expect(isUnstable(measured, wanted)).toBe(!isStable);
    }
  });
});

describe('a mean that hides the distribution of the runs', () => {
  test.each([
    [
      'a warning names both speeds if the results are bimodal',
      [800e6, 1850e6, 790e6, 1900e6, 810e6],
      'bimodal',
      'results are bimodal: about 800 MB/s in 3 runs, 1875 MB/s in 2 runs; the mean matches neither',
    ],
    [
      'a warning names outliers',
      [100e6, 101e6, 99e6, 20e6, 100e6],
      'outliers',
      'some runs are outliers: 20 MB/s',
    ],
  ])('%s', (_, rates, code, message) => {
    expect(spreadWarnings(runsOnDisk(...rates), ONCE)).toEqual([
      expect.objectContaining({ code, phase: 'write', message }),
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
    expect(spreadWarnings(runsOnDisk(...rates), ONCE)).toEqual([]);
  });
});
