import { expect, test } from 'vitest';
import { estimateClockOffset } from '../../src/hosts/coordinator.js';
import { seededRandom } from '../support/data/seeded-random.js';

test('one shared barrier gives the offset between two clocks, with its error', () => {
  // By its own clock, this rank was in the barrier from 102 to 103; the other rank, from 1 to 3.
  expect(estimateClockOffset([{ entered: 102, left: 103 }], [{ entered: 1, left: 3 }])).toEqual({
    seconds: 100.5,
    errorSeconds: 1.5,
  });
});

test('without a shared barrier, the offset is null', () => {
  expect(estimateClockOffset([], [{ entered: 1, left: 2 }])).toBeNull();
});

test('more barriers reduce the error, and the true offset is within it', () => {
  const { between } = seededRandom(1);
  const truth = 1234.5;
  const barriers = Array.from({ length: 20 }, (_, at) => {
    const ownDelay = between(0.001, 1);
    const otherDelay = between(0.001, 1);
    const opened = 10 * at + Math.max(ownDelay, otherDelay);
    const ownLag = between(0.0001, 0.05);
    const otherLag = between(0.0001, 0.05);
    return {
      own: { entered: 10 * at + ownDelay + truth, left: opened + ownLag + truth },
      other: { entered: 10 * at + otherDelay, left: opened + otherLag },
    };
  });
  const estimate = (count: number) => {
    const some = barriers.slice(0, count);
    return (
      estimateClockOffset(
        some.map(({ own }) => own),
        some.map(({ other }) => other),
      ) ?? { seconds: 0, errorSeconds: 0 }
    );
  };
  for (const count of [1, 5, 20])
    expect(Math.abs(estimate(count).seconds - truth)).toBeLessThanOrEqual(estimate(count).errorSeconds);
  expect(estimate(20).errorSeconds).toBeLessThan(estimate(1).errorSeconds);
});
