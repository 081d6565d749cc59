import { expect, test } from 'vitest';
import { estimateClockOffset } from '../../src/job/clock.js';
import { seededRandom } from '../support/data/seeded-random.js';

test('from one wait of all it is known how far a clock can be ahead', () => {
  // By the other's clock the first came at 1 and went on at 3, and this one was there from 2 to 3.
  expect(estimateClockOffset([{ entered: 102, left: 103 }], [{ entered: 1, left: 3 }])).toEqual({
    seconds: 100.5,
    errorSeconds: 1.5,
  });
});

test('nothing is known without a common wait', () => {
  expect(estimateClockOffset([], [{ entered: 1, left: 2 }])).toBeNull();
});

test.each([1, 2, 3])('more waits bring it nearer to the truth, which stays within: seed %i', (seed) => {
  const { between } = seededRandom(seed);
  const truth = 1234.5;
  const waits = Array.from({ length: 20 }, (_, at) => {
    const [here, there] = [between(0.001, 1), between(0.001, 1)];
    const open = 10 * at + Math.max(here, there);
    const [late, later] = [between(0.0001, 0.05), between(0.0001, 0.05)];
    return {
      own: { entered: 10 * at + here + truth, left: open + late + truth },
      other: { entered: 10 * at + there, left: open + later },
    };
  });
  const known = (count: number) => {
    const some = waits.slice(0, count);
    return (
      estimateClockOffset(
        some.map(({ own }) => own),
        some.map(({ other }) => other),
      ) ?? { seconds: 0, errorSeconds: 0 }
    );
  };
  for (const count of [1, 5, 20])
    expect(Math.abs(known(count).seconds - truth)).toBeLessThanOrEqual(known(count).errorSeconds);
  expect(known(20).errorSeconds).toBeLessThan(known(1).errorSeconds);
});
