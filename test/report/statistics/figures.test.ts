import { describe, expect, test } from 'vitest';
import type { Run } from '../../../src/report/schema/report.js';
import { areStable, statisticsOfRuns } from '../../../src/report/statistics/figures.js';
import { measurementWith, runWith } from '../../support/data/fixtures.js';

/** A run with a write of this rate and operations at this one. */
function runOf(writeRate: number, iopsRate: number, facts: Partial<Run> = {}): Run {
  return runWith({
    measurements: [
      measurementWith({ bytesPerSecond: writeRate, operationsPerSecond: 1 }),
      measurementWith({
        phase: 'iops',
        title: 'IOPS',
        figure: 'operations',
        bytesPerSecond: 1,
        operationsPerSecond: iopsRate,
      }),
    ],
    ...facts,
  });
}

/** One that was stopped after the write. */
function incomplete(writeRate: number): Run {
  return runWith({ state: 'incomplete', measurements: [measurementWith({ bytesPerSecond: writeRate })] });
}

describe('the statistics of runs', () => {
  test('are of every phase, in its order, by its own figure', () => {
    expect(statisticsOfRuns([runOf(100, 7), runOf(300, 9)])).toMatchObject([
      { phase: 'write', title: 'Sequential Write', figure: 'bytes', runs: 2, mean: 200, min: 100, max: 300 },
      { phase: 'iops', title: 'IOPS', figure: 'operations', runs: 2, mean: 8, min: 7, max: 9 },
    ]);
  });

  test('leave out what is of an incomplete run, wherever it stands', () => {
    const complete = [runOf(100, 7), runOf(300, 9)];
    expect(statisticsOfRuns([incomplete(1), ...complete, incomplete(9999)])).toEqual(
      statisticsOfRuns(complete),
    );
  });

  test('are none where no run is complete', () => {
    expect(statisticsOfRuns([])).toEqual([]);
    expect(statisticsOfRuns([incomplete(100)])).toEqual([]);
  });

  test('of a single run tell of no spread', () => {
    expect(statisticsOfRuns([runOf(100, 7)])).toMatchObject([
      { runs: 1, mean: 100, standardDeviation: null, confidence95: null },
      { runs: 1, mean: 7, standardDeviation: null, confidence95: null },
    ]);
  });
});

describe('runs are stable', () => {
  test('when every one of their figures is', () => {
    expect(areStable([runOf(100, 7), runOf(101, 7), runOf(100, 7)], 5)).toBe(true);
    expect(areStable([runOf(100, 7), runOf(101, 14), runOf(100, 7)], 5)).toBe(false);
    expect(areStable([runOf(100, 7), runOf(200, 7), runOf(100, 7)], 5)).toBe(false);
  });

  test('within as much as asked', () => {
    const runs = [runOf(99, 7), runOf(100, 7), runOf(101, 7)];
    // Half the interval is t · s / √n: 4.303 · 1 / √3.
    expect(areStable(runs, 2.49)).toBe(true);
    expect(areStable(runs, 2.48)).toBe(false);
  });

  test('only from the third complete one on', () => {
    expect(areStable([], 100)).toBe(false);
    expect(areStable([runOf(100, 7), runOf(100, 7)], 100)).toBe(false);
    expect(areStable([runOf(100, 7), runOf(100, 7), incomplete(100)], 100)).toBe(false);
    expect(areStable([runOf(100, 7), runOf(100, 7), incomplete(1), runOf(100, 7)], 1)).toBe(true);
  });
});
