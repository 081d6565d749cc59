import { Random } from '../../workers/random.js';

const SEED = 5;

/** Returns `count` random times within a duration; the seed is fixed. */
export function randomTimes(durationMs: number, count: number): readonly number[] {
  const random = new Random(SEED);
  return Array.from({ length: count }, () => random.below(Math.ceil(durationMs)));
}

/** Calls `act` on every item, on at most `concurrency` items at a time. */
export async function forEachConcurrently<Item>(
  items: readonly Item[],
  concurrency: number,
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const lanes = Array.from({ length: concurrency }, async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await act(item);
  });
  await Promise.all(lanes);
}
