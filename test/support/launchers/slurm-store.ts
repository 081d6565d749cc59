import type { KeyValueStore } from './pmi-launcher.js';

const TASKS_PER_BUCKET = 8;

/**
 * Slurm's keys and values, with what a look-up costs there: one list for eight tasks, searched from its start. Of a key
 * the sum is made so that similar keys share few of the lists. Nothing is ever removed.
 */
export class SlurmStore implements KeyValueStore {
  readonly #buckets: { readonly keys: string[]; readonly values: string[] }[];

  constructor(tasks: number) {
    const count = Math.ceil(tasks / TASKS_PER_BUCKET);
    this.#buckets = Array.from({ length: count }, () => ({ keys: [], values: [] }));
  }

  get(key: string): string | undefined {
    const { keys, values } = this.#findBucket(key);
    return values[keys.indexOf(key)];
  }

  set(key: string, value: string): void {
    const { keys, values } = this.#findBucket(key);
    const known = keys.indexOf(key);
    const at = known === -1 ? keys.length : known;
    keys[at] = key;
    values[at] = value;
  }

  #findBucket(key: string) {
    const bucket = this.#buckets[hashKey(key) % this.#buckets.length];
    if (!bucket) throw new Error('there is a bucket for every sum');
    return bucket;
  }
}

/** Each letter is shifted in from the right, together with what falls out on the left. */
function hashKey(key: string): number {
  let sum = 0;
  for (const letter of Buffer.from(key)) sum = ((sum << 8) | ((sum >>> 24) ^ letter)) >>> 0;
  return sum;
}
