import { expect, test } from 'vitest';
import { aheadOf } from '../../src/job/clock.js';
import { seededRandom } from '../support/data/seeded-random.js';

test('from one wait of all it is known how far a clock can be ahead', () => {
  // By the other's clock the first came at 1 and went on at 3, and this one was there from 2 to 3.
  expect(aheadOf([{ came: 102, went: 103 }], [{ came: 1, went: 3 }])).toEqual({
    seconds: 100.5,
    withinSeconds: 1.5,
  });
});

test('nothing is known without a common wait', () => {
  expect(aheadOf([], [{ came: 1, went: 2 }])).toBeNull();
});

test.each([1, 2, 3])('more waits bring it nearer to the truth, which stays within: seed %i', (seed) => {
  const { between } = seededRandom(seed);
  const truth = 1234.5;
  const waits = Array.from({ length: 20 }, (_, at) => {
    const [here, there] = [between(0.001, 1), between(0.001, 1)];
    const open = 10 * at + Math.max(here, there);
    const [late, later] = [between(0.0001, 0.05), between(0.0001, 0.05)];
    return {
      own: { came: 10 * at + here + truth, went: open + late + truth },
      other: { came: 10 * at + there, went: open + later },
    };
  });
  const known = (count: number) => {
    const some = waits.slice(0, count);
    return (
      aheadOf(
        some.map(({ own }) => own),
        some.map(({ other }) => other),
      ) ?? { seconds: 0, withinSeconds: 0 }
    );
  };
  for (const count of [1, 5, 20])
    expect(Math.abs(known(count).seconds - truth)).toBeLessThanOrEqual(known(count).withinSeconds);
  expect(known(20).withinSeconds).toBeLessThan(known(1).withinSeconds);
});
