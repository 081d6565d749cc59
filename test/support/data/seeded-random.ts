/** The same numbers in every run of the test. */
export function seededRandom(seed: number) {
  let state = seed;
  /** From 0 to less than 1. */
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const upTo = (most: number) => Math.floor(next() * (most + 1));
  return {
    upTo,
    chance: (share: number) => next() < share,
    /** Of any magnitude: small ones are as likely as large ones. */
    between: (least: number, most: number) => least * (most / least) ** next(),
    oneOf: <Item>(items: readonly Item[]): Item => {
      const item = items[upTo(items.length - 1)];
      if (item === undefined) throw new Error('there is nothing to choose from');
      return item;
    },
  };
}

export type SeededRandom = ReturnType<typeof seededRandom>;
