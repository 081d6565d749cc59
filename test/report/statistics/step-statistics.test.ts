import { describe, expect, test } from 'vitest';
import type { Run } from '../../../src/report/schema/report.js';
import { areStable } from '../../../src/report/statistics/step-statistics.js';
import { measurementWith, runWith } from '../../support/data/fixtures.js';

/** A run with these write and IOPS rates. */
function runWithRates(writeRate: number, iopsRate: number, facts: Partial<Run> = {}): Run {
  return runWith({
    measurements: [
      measurementWith({ bytesPerSecond: writeRate, operationsPerSecond: 1 }),
      measurementWith({
        step: 'iops',
        title: 'IOPS',
        primaryRate: 'operations',
        bytesPerSecond: 1,
        operationsPerSecond: iopsRate,
      }),
    ],
    ...facts,
  });
}

/** A run that was stopped after the write. */
function incomplete(writeRate: number): Run {
  return runWith({ state: 'incomplete', measurements: [measurementWith({ bytesPerSecond: writeRate })] });
}

describe('runs are stable', () => {
  test('if the half width of the interval is within the given percentage of the mean', () => {
    const runs = [99, 100, 101].map((rate) => runWithRates(rate, 7));
    const margin = ((2 * 4.302653) / Math.sqrt(3)) * (Math.log(101 / 99) / 2);
    const edge = Math.min(0.015 / 0.5, 0.025);
    const halfPercent = 100 * Math.expm1(Math.hypot(margin, edge));
    expect(areStable(runs, halfPercent + 0.001)).toBe(true);
    expect(areStable(runs, halfPercent - 0.001)).toBe(false);
  });

  test('by no less than the share of their time in which they start and end, even if all rates are equal', () => {
    const runs = Array.from({ length: 3 }, () =>
      runWith({ measurements: [measurementWith({ seconds: 1.5 })] }),
    );
    expect(areStable(runs, 1.01)).toBe(true);
    expect(areStable(runs, 0.99)).toBe(false);
  });

  test('only if at least three runs are complete, with rates above 0', () => {
    const two = [runWithRates(100, 7), runWithRates(100, 7)];
    expect(areStable([], 100)).toBe(false);
    expect(areStable(two, 100)).toBe(false);
    expect(areStable([...two, incomplete(100)], 100)).toBe(false);
    expect(areStable([...two, incomplete(1), runWithRates(100, 7)], 3)).toBe(true);
    expect(
      areStable(
        [1, 2, 3].map(() => runWithRates(100, 0)),
        50,
      ),
    ).toBe(false);
  });
});
