import { DataError, findFirstDifference } from '../files/read-write.js';
import type { Slice } from '../protocol.js';
import { COMPARE_EVERY, type TestData } from './test-data.js';

/** `change` visits one byte in this many. */
const WORD_BYTES = 4;

/**
 * One repeated random block, as in gobonniego. A class, because a closure per step would make Node compile the loops again
 * in every step.
 */
export class SameBlock implements TestData {
  readonly isOverwritten = false;
  /** Random writes overlap blocks and each other, so only stamps could show what belongs where. */
  readonly isChecked: boolean;
  readonly #block: Uint8Array;
  readonly #stepBlock: Uint8Array;
  readonly #isRandom: boolean;
  readonly #changes: Int32Array;
  #hasChanged = false;

  /**
   * `block` is the block of the first write; `stepBlock`, of the size of the phase's operations, is the start of it.
   * `changes` is one word for all workers: 1 if any worker has changed the data.
   */
  constructor(block: Uint8Array, stepBlock: Uint8Array, isRandom: boolean, changes: Int32Array) {
    this.#block = block;
    this.#stepBlock = stepBlock;
    this.#isRandom = isRandom;
    this.isChecked = !isRandom;
    this.#changes = changes;
  }

  blockAt(): Uint8Array {
    if (this.#isRandom || this.#stepBlock.length !== this.#block.length) this.#recordChange();
    return this.#stepBlock;
  }

  change(changed: Uint8Array, operation: number): void {
    const at = (operation * WORD_BYTES) % changed.length;
    changed[at] = ~(changed[at] ?? 0);
    this.#recordChange();
  }

  /** Checks nothing after a change in place: only stamps could distinguish the change from an error. */
  checkBlock(actual: Uint8Array, positionBytes: number, { file: path }: Slice, operation: number): void {
    if (operation % COMPARE_EVERY !== 0 || Atomics.load(this.#changes, 0) !== 0) return;
    const start = positionBytes % this.#block.length;
    // A read that ends in the next block is not checked.
    if (start + actual.length > this.#block.length) return;
    const at = findFirstDifference(actual, this.#block.subarray(start, start + actual.length));
    if (at >= 0) throw new DataError('CORRUPT', positionBytes + at, path);
  }

  #recordChange(): void {
    if (this.#hasChanged) return;
    Atomics.store(this.#changes, 0, 1);
    this.#hasChanged = true;
  }
}
