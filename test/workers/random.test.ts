import { expect, test } from 'vitest';
import { Random } from '../../workers/random.js';

const TWO_TO_53 = 2 ** 53;
const BUCKETS = 100;
/** One of 10,000 fair draws into 100 buckets exceeds it (99 degrees of freedom). */
const CHI_SQUARE_LIMIT = 161.3;

function numbers(random: Random, count: number, limit: number): readonly number[] {
  return Array.from({ length: count }, () => random.below(limit));
}

function chiSquare(values: readonly number[], bucketOf: (value: number) => number): number {
  const counts = new Array<number>(BUCKETS).fill(0);
  for (const value of values) counts[bucketOf(value)] = (counts[bucketOf(value)] ?? 0) + 1;
  const expected = values.length / BUCKETS;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

/** Returns the largest draw, which no seed yields within the time of a test. */
class Extreme extends Random {
  readonly #word: number;

  constructor(word: number) {
    super(0);
    this.#word = word;
  }

  override uint32(): number {
    // The constructor of Random draws before this field is set.
    return #word in this ? this.#word : 0;
  }
}

test('a seed yields the same numbers in every version', () => {
  const random = new Random(42);
  expect([random.uint32(), random.uint32(), random.uint32()]).toEqual([
    3_028_914_309, 1_554_133_236, 1_777_555_124,
  ]);
});

test('every seed, run and thread has its own stream', () => {
  const seeds = [0, 1, 2, 41, 42, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 2 ** 53 - 1];
  const streams = seeds.flatMap((seed) =>
    Array.from({ length: 20 }, (_, run) =>
      Array.from({ length: 20 }, (_, index) => new Random(seed, run, index)),
    ).flat(),
  );
  const all = [...streams, ...seeds.map((seed) => new Random(seed))];
  expect(new Set(all.map((random) => random.below(TWO_TO_53))).size).toBe(all.length);
});

test('the streams of neighbouring threads are not shifted copies', () => {
  const ours = new Set(numbers(new Random(42, 1, 0), 10_000, TWO_TO_53));
  const neighbours = numbers(new Random(42, 1, 1), 10_000, TWO_TO_53);
  expect(neighbours.filter((value) => ours.has(value))).toEqual([]);
});

test.each([1, 2, 3, 10, 512, 2 ** 31 + 1, 2 ** 32, 2 ** 32 + 1, 1e15, TWO_TO_53 - 1, TWO_TO_53])(
  'below(%d) returns whole numbers from 0 to below the limit',
  (limit) => {
    const wrong = numbers(new Random(7), 10_000, limit).filter(
      (value) => !Number.isSafeInteger(value) || value < 0 || value >= limit,
    );
    expect(wrong).toEqual([]);
  },
);

test.each([1, 3, 5, 6, 7, 2 ** 32 - 1, 2 ** 32 + 1, 2 ** 52 + 1, TWO_TO_53 - 1, TWO_TO_53])(
  'below(%d) returns its largest number, but never the limit or a number below 0',
  (limit) => {
    expect(new Extreme(0xffff_ffff).below(limit)).toBe(limit - 1);
    expect(new Extreme(0).below(limit)).toBe(0);
  },
);

test.each([BUCKETS, 3_000_000_000, 2 ** 40 + 12_345, TWO_TO_53])(
  'below(%d) spreads evenly over its range',
  (limit) => {
    const values = numbers(new Random(2018, 4, 12), 100_000, limit);
    expect(chiSquare(values, (value) => Math.floor((value * BUCKETS) / limit))).toBeLessThan(
      CHI_SQUARE_LIMIT,
    );
  },
);

test('below() of a large range varies even in its low digits', () => {
  const values = numbers(new Random(2018, 4, 12), 100_000, TWO_TO_53);
  expect(chiSquare(values, (value) => value % BUCKETS)).toBeLessThan(CHI_SQUARE_LIMIT);
});

test.each([0, 1, 2, 3, 4, 5, 7, 511, 513, 4097])(
  'fill() fills all of %d bytes and no bytes around them',
  (length) => {
    const memory = new Uint8Array(length + 8);
    const filled = memory.subarray(4, 4 + length);
    const touched = new Set<number>();
    const random = new Random(99);
    // A random byte may be 0 by chance, but not eight times in a row in the same place.
    for (let round = 0; round < 8; round++) {
      random.fill(filled);
      for (const [at, byte] of filled.entries()) if (byte !== 0) touched.add(at);
    }
    expect(touched.size).toBe(length);
    expect([...memory.subarray(0, 4), ...memory.subarray(4 + length)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  },
);
