/** Returns a random generator that yields the same numbers in every test run. */
export function seededRandom(seed: number) {
  let state = seed;
  /** Returns a number from 0 to less than 1. */
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const upTo = (max: number) => Math.floor(next() * (max + 1));
  return {
    upTo,
    chance: (share: number) => next() < share,
    /** Returns a number of any magnitude: small numbers are as likely as large numbers. */
    between: (min: number, max: number) => min * (max / min) ** next(),
    oneOf: <Item>(items: readonly Item[]): Item => {
      const item = items[upTo(items.length - 1)];
      if (item === undefined) throw new Error('the list is empty');
      return item;
    },
  };
}

export type SeededRandom = ReturnType<typeof seededRandom>;
