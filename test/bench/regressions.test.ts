import { describe, expect, test } from 'vitest';
import { type Recording, readNoise } from '../../bench/regressions/noise.js';
import { pairRecordings, simulate } from '../../bench/regressions/simulation.js';

const DROP_PERCENT = 20;

/** Five runs that differ slightly. */
function recording(level: number): Recording {
  return [1, 1.01, 0.99, 1.005, 0.995].map((noise) => ({ write: level * noise, iops: 100 * noise }));
}

test('recordings are paired in both directions, those recorded one after the other first', () => {
  const [a, b, c] = [recording(1), recording(2), recording(3)];
  expect(pairRecordings([a, b, c])).toEqual([
    ...[a, b].flatMap((one, at) => [
      [one, [b, c][at]],
      [[b, c][at], one],
    ]),
    ...[
      [a, c],
      [c, a],
    ],
  ]);
});

describe('the simulation', () => {
  test('finds slower figures, and no regression in equal ones', () => {
    expect(simulate(pairRecordings([recording(100), recording(101)]), DROP_PERCENT)).toEqual({
      pairs: 2,
      falseAlarms: 0,
      detected: 2,
      detectedAlone: { write: 2, iops: 2 },
    });
  });

  test('a recording that happens to be slower is a false alarm, and hides a real drop of the other', () => {
    expect(simulate(pairRecordings([recording(100), recording(60)]), DROP_PERCENT)).toEqual({
      pairs: 2,
      falseAlarms: 1,
      // The other figure shows it.
      detected: 2,
      // From 60 to 80 is no drop.
      detectedAlone: { write: 1, iops: 2 },
    });
  });
});

test('of 200 recorded pairs under 5 % are called a regression if unchanged, and at least 95 % if slower', () => {
  const pairs = pairRecordings(readNoise().recordings).slice(0, 200);
  const { falseAlarms, detected } = simulate(pairs, DROP_PERCENT);
  expect(pairs).toHaveLength(200);
  expect(falseAlarms / pairs.length).toBeLessThan(0.05);
  expect(detected / pairs.length).toBeGreaterThanOrEqual(0.95);
});
