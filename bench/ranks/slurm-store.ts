import type { KeyValueStore } from '../../test/support/launchers/pmi-launcher.js';

const TASKS_PER_BUCKET = 8;

/**
 * Slurm's key-value store, with the same look-up costs: one list per eight tasks, searched from its start. The hash
 * spreads similar keys over the lists. Entries are never removed.
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
    const existing = keys.indexOf(key);
    const index = existing === -1 ? keys.length : existing;
    keys[index] = key;
    values[index] = value;
  }

  #findBucket(key: string) {
    const bucket = this.#buckets[hashKey(key) % this.#buckets.length];
    if (!bucket) throw new Error('missing bucket');
    return bucket;
  }
}

/** Shifts each letter in from the right, combined with the byte that the shift drops on the left. */
function hashKey(key: string): number {
  let sum = 0;
  for (const letter of Buffer.from(key)) sum = ((sum << 8) | ((sum >>> 24) ^ letter)) >>> 0;
  return sum;
}
