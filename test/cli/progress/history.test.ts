import { describe, expect, test } from 'vitest';
import {
  addProgress,
  EMPTY_HISTORY,
  latestPoint,
  type ProgressHistory,
  recentRate,
} from '../../../src/cli/progress/history.js';
import { resampleRates } from '../../../src/format/human/dot-plot.js';

/** Returns the history after these amounts, added at one per interval. */
function historyOf(amounts: readonly number[], interval = 0.1): ProgressHistory {
  let history = EMPTY_HISTORY;
  let amount = 0;
  for (const [at, added] of amounts.entries()) {
    amount += added;
    history = addProgress(history, { seconds: (at + 1) * interval, amount });
  }
  return history;
}

function repeat(count: number, amount: number): readonly number[] {
  return Array.from({ length: count }, () => amount);
}

describe('recentRate', () => {
  test('is null before the first sample', () => {
    expect(recentRate(EMPTY_HISTORY, 1)).toBeNull();
    expect(latestPoint(EMPTY_HISTORY)).toEqual({ seconds: 0, amount: 0 });
  });

  test('covers the time since the start if the phase is shorter', () => {
    expect(recentRate(historyOf([10, 30]), 1)).toBeCloseTo(200);
  });

  test('covers only the last second', () => {
    expect(recentRate(historyOf([...repeat(100, 1000), ...repeat(10, 7)]), 1)).toBeCloseTo(70);
  });

  test('covers the last seconds exactly, even in a long phase', () => {
    expect(recentRate(historyOf([...repeat(50, 20), ...repeat(50, 10)]), 5)).toBeCloseTo(100);
    expect(recentRate(historyOf([...repeat(900, 20), ...repeat(50, 10)]), 5)).toBeCloseTo(100);
  });
});

test('the history still covers the start after hours, with bounded memory', () => {
  const history = historyOf([...repeat(36_000, 40), ...repeat(36_000, 10)]);
  expect(history.length).toBeLessThan(1000);
  const tens = resampleRates(history, 4).map((rate) => Math.round(rate / 10) * 10);
  expect(tens).toEqual([400, 400, 100, 100]);
});
