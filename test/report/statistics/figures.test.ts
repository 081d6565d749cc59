import { describe, expect, test } from 'vitest';
import type { Run } from '../../../src/report/schema/report.js';
import { areStable, computeRunStatistics } from '../../../src/report/statistics/figures.js';
import { measurementWith, runWith } from '../../support/data/fixtures.js';

/** A run that wrote at the one rate and did random operations at the other. */
function runOf(writeRate: number, iopsRate: number, facts: Partial<Run> = {}): Run {
  return runWith({
    measurements: [
      measurementWith({ bytesPerSecond: writeRate, operationsPerSecond: 1 }),
      measurementWith({
        phase: 'iops',
        title: 'IOPS',
        primaryRate: 'operations',
        bytesPerSecond: 1,
        operationsPerSecond: iopsRate,
        durable: null,
      }),
    ],
    ...facts,
  });
}

/** A run that was stopped after the write. */
function incomplete(writeRate: number): Run {
  return runWith({ state: 'incomplete', measurements: [measurementWith({ bytesPerSecond: writeRate })] });
}

const onDisk = (runs: readonly Run[]) => ({ runs, target: { isMemory: false } });

describe('the statistics of runs', () => {
  test('cover every phase, in order, by its main rate', () => {
    expect(computeRunStatistics([runOf(100, 7), runOf(300, 9)])).toMatchObject([
      {
        phase: 'write',
        title: 'Sequential Write',
        primaryRate: 'bytes',
        runs: 2,
        mean: 200,
        min: 100,
        max: 300,
      },
      { phase: 'iops', title: 'IOPS', primaryRate: 'operations', runs: 2, mean: 8, min: 7, max: 9 },
    ]);
  });

  test('leave out incomplete runs, the first and the last too', () => {
    const complete = [runOf(100, 7), runOf(300, 9)];
    expect(computeRunStatistics([incomplete(1), ...complete, incomplete(9999)])).toEqual(
      computeRunStatistics(complete),
    );
  });

  test('are empty if no run is complete', () => {
    expect(computeRunStatistics([])).toEqual([]);
    expect(computeRunStatistics([incomplete(100)])).toEqual([]);
  });

  test('of a single run have no deviation and no interval', () => {
    expect(computeRunStatistics([runOf(100, 7)])).toMatchObject([
      { runs: 1, mean: 100, standardDeviation: null, confidence95: null },
      { runs: 1, mean: 7, standardDeviation: null, confidence95: null },
    ]);
  });
});

describe('runs are stable', () => {
  test('if each of their figures is', () => {
    expect(areStable(onDisk([runOf(100, 7), runOf(101, 7), runOf(100, 7)]), 5)).toBe(true);
    expect(areStable(onDisk([runOf(100, 7), runOf(101, 14), runOf(100, 7)]), 5)).toBe(false);
    expect(areStable(onDisk([runOf(100, 7), runOf(200, 7), runOf(100, 7)]), 5)).toBe(false);
  });

  test('only if three of them are complete', () => {
    expect(areStable(onDisk([]), 100)).toBe(false);
    expect(areStable(onDisk([runOf(100, 7), runOf(100, 7)]), 100)).toBe(false);
    expect(areStable(onDisk([runOf(100, 7), runOf(100, 7), incomplete(100)]), 100)).toBe(false);
    expect(areStable(onDisk([runOf(100, 7), runOf(100, 7), incomplete(1), runOf(100, 7)]), 1)).toBe(true);
  });
});
