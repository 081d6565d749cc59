import { describe, expect, test } from 'vitest';
import type { Recording } from '../../bench/noise/noise.js';
import { pairRecordings, simulate } from '../../bench/noise/simulation.js';

const DROP_PERCENT = 20;

/** Returns five runs that differ slightly. */
function recording(level: number): Recording {
  return [1, 1.01, 0.99, 1.005, 0.995].map((noise) => ({ write: level * noise, iops: 100 * noise }));
}

test('pairRecordings pairs recordings in both directions, starting with consecutive recordings', () => {
  const a = recording(1);
  const b = recording(2);
  const c = recording(3);
  // biome-ignore format: a pair per direction
  expect(pairRecordings([a, b, c])).toEqual([[a, b], [b, a], [b, c], [c, b], [a, c], [c, a]]);
});

describe('the simulation', () => {
  test('detects slower results, and no regression in equal results', () => {
    expect(simulate(pairRecordings([recording(100), recording(101)]), DROP_PERCENT)).toEqual({
      pairs: 2,
      falseAlarms: 0,
      detected: 2,
      detectedAlone: { write: 2, iops: 2 },
    });
  });

  test('counts a recording slowed by chance as a false alarm, which hides a real drop of the other recording', () => {
    expect(simulate(pairRecordings([recording(100), recording(60)]), DROP_PERCENT)).toEqual({
      pairs: 2,
      falseAlarms: 1,
      // The iops reveal it.
      detected: 2,
      // A rise from 60 to 80 is no drop.
      detectedAlone: { write: 1, iops: 2 },
    });
  });
});
