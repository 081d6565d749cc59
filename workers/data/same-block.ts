import { DataError, findFirstDifference } from '../files/read-write.js';
import type { Slice } from '../protocol.js';
import { COMPARE_EVERY, type TestData } from './test-data.js';

/** `change` visits one byte in this many. */
const WORD_BYTES = 4;

/**
 * Returns one repeated random block, as in gobonniego. `block` is the block of the first write; a step's own block size
 * takes the start of it. `changes` is one word for all workers: 1 if any worker has changed the data.
 */
export function sameBlock(
  block: Uint8Array,
  stepBlock: Uint8Array,
  randomBlock: Uint8Array,
  changes: Int32Array,
) {
  let hasChanged = false;

  function recordChange(): void {
    if (hasChanged) return;
    Atomics.store(changes, 0, 1);
    hasChanged = true;
  }

  return {
    isOverwritten: false,

    blockAt() {
      if (stepBlock.length !== block.length) recordChange();
      return stepBlock;
    },

    randomBlockAt() {
      recordChange();
      return randomBlock;
    },

    change(changed: Uint8Array, operation: number) {
      const at = (operation * WORD_BYTES) % changed.length;
      changed[at] = ~(changed[at] ?? 0);
      recordChange();
    },

    /** Checks nothing after a change in place: only stamps could distinguish the change from an error. */
    checkBlock(actual: Uint8Array, positionBytes: number, _: Slice, operation: number) {
      if (operation % COMPARE_EVERY !== 0 || Atomics.load(changes, 0) !== 0) return;
      const start = positionBytes % block.length;
      // A read that ends in the next block is not checked.
      if (start + actual.length > block.length) return;
      const at = findFirstDifference(actual, block.subarray(start, start + actual.length));
      if (at >= 0) throw new DataError('CORRUPT', positionBytes + at);
    },

    /** Checks nothing: random writes overlap blocks and each other, so only stamps could show what belongs where. */
    checkRandomBlock() {},
  } satisfies TestData;
}
