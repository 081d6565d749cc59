import { describe, expect, test } from 'vitest';
import {
  addProgress,
  EMPTY_HISTORY,
  latestPoint,
  type ProgressHistory,
  ratesSoFar,
  recentRate,
} from '../../../src/cli/progress/history.js';

/** After these amounts, one per interval. */
function paceOf(amounts: readonly number[], interval = 0.1): ProgressHistory {
  let [history, amount] = [EMPTY_HISTORY, 0];
  for (const [at, one] of amounts.entries()) {
    amount += one;
    history = addProgress(history, { seconds: (at + 1) * interval, amount });
  }
  return history;
}

function many(count: number, amount: number): readonly number[] {
  return Array.from({ length: count }, () => amount);
}

describe('the rate', () => {
  test('is unknown before the first sample', () => {
    expect(recentRate(EMPTY_HISTORY, 1)).toBeNull();
    expect(latestPoint(EMPTY_HISTORY)).toEqual({ seconds: 0, amount: 0 });
  });

  test('is that since the start if the phase is younger', () => {
    expect(recentRate(paceOf([10, 30]), 1)).toBeCloseTo(200);
  });

  test('is that of the last second, whatever was before', () => {
    expect(recentRate(paceOf([...many(100, 1000), ...many(10, 7)]), 1)).toBeCloseTo(70);
  });

  test('depends on the elapsed time, not on the number of samples', () => {
    expect(recentRate(paceOf(many(5, 100), 2), 1)).toBeCloseTo(50);
  });

  test('falls to 0 when nothing moves', () => {
    expect(recentRate(paceOf([...many(50, 100), ...many(10, 0)]), 1)).toBe(0);
  });

  test('covers five seconds at most', () => {
    expect(recentRate(paceOf([...many(50, 20), ...many(50, 10)]), 5)).toBeCloseTo(100);
    expect(recentRate(paceOf([...many(900, 20), ...many(50, 10)]), 60)).toBeCloseTo(100, 0);
  });
});

describe('the curve', () => {
  test('has the rates of equal parts of the time', () => {
    const rates = ratesSoFar(paceOf([...many(10, 10), ...many(10, 20), ...many(10, 30), ...many(10, 0)]), 4);
    expect(rates.map(Math.round)).toEqual([100, 200, 300, 0]);
  });

  test('can have more parts than there are samples', () => {
    expect(ratesSoFar(paceOf([10, 30]), 4).map(Math.round)).toEqual([100, 100, 300, 300]);
  });

  test('is all 0 at the start', () => {
    expect(ratesSoFar(EMPTY_HISTORY, 3)).toEqual([0, 0, 0]);
  });

  test('still covers the start after hours, in memory that does not grow', () => {
    const history = paceOf([...many(36_000, 40), ...many(36_000, 10)]);
    expect(history.overall.length).toBeLessThan(128);
    expect(history.recent.length).toBeLessThan(60);
    const tens = ratesSoFar(history, 4).map((rate) => Math.round(rate / 10) * 10);
    expect(tens).toEqual([400, 400, 100, 100]);
  });
});
