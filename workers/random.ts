const TWO_TO_32 = 2 ** 32;
const TWO_TO_21 = 2 ** 21;
const TWO_TO_53 = 2 ** 53;
const WARM_UP_ROUNDS = 20;

/** sfc32: repeatable random numbers in a few nanoseconds each, without allocation. Not for secrets. */
export class Random {
  readonly #state: Int32Array;

  /** The same keys give the same numbers. The first key is the seed; the other keys distinguish streams. */
  constructor(...keys: readonly number[]) {
    this.#state = new Int32Array(4);
    for (const [at, word] of keys.flatMap(toWords).entries()) {
      const slot = at % 4;
      this.#state[slot] = Math.imul((this.#state[slot] ?? 0) ^ word, 0x9e3779b1) + at;
      this.uint32();
    }
    for (let round = 0; round < WARM_UP_ROUNDS; round++) this.uint32();
  }

  uint32(): number {
    const state = this.#state as Int32Array & [number, number, number, number];
    const sum = (((state[0] + state[1]) | 0) + state[3]) | 0;
    const c = state[2];
    state[3] += 1;
    state[0] = state[1] ^ (state[1] >>> 9);
    state[1] = c + (c << 3);
    state[2] = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  }

  /** Returns an integer from 0 to below `limit`, which may be up to 2^53. */
  below(limit: number): number {
    const high = this.uint32();
    const low = this.uint32() >>> 11;
    return Math.floor((high * TWO_TO_21 + low) * (limit / TWO_TO_53));
  }

  /** Returns the items in another order. */
  shuffle<Item>(items: readonly Item[]): readonly Item[] {
    return items
      .map((item) => ({ item, key: this.uint32() }))
      .sort((one, other) => one.key - other.key)
      .map(({ item }) => item);
  }

  fill(bytes: Uint8Array): void {
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 2);
    for (let at = 0; at < words.length; at++) words[at] = this.uint32();
    for (let at = words.byteLength; at < bytes.byteLength; at++) bytes[at] = this.uint32();
  }
}

function toWords(key: number): readonly number[] {
  return [(key % TWO_TO_32) | 0, Math.floor(key / TWO_TO_32) | 0];
}
