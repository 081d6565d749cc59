import { DataError, firstDifference } from '../files/transfer.js';
import type { Slice } from '../protocol.js';
import { COMPARE_EVERY, type TestData } from './test-data.js';

/** `change` visits one byte in this many. */
const WORD_BYTES = 4;

/** One random block, repeated, as gobonniego does it. */
export class SameBlock implements TestData {
  readonly #block: Uint8Array;
  readonly #piece: Uint8Array;
  /** One word for all workers: whether any of them has changed the data. */
  readonly #changes: Int32Array;
  #hasChanged = false;

  constructor(block: Uint8Array, piece: Uint8Array, changes: Int32Array) {
    this.#block = block;
    this.#piece = piece;
    this.#changes = changes;
  }

  blockAt(): Uint8Array {
    return this.#block;
  }

  pieceAt(): Uint8Array {
    this.#noteChange();
    return this.#piece;
  }

  change(block: Uint8Array, operation: number): void {
    const at = (operation * WORD_BYTES) % block.length;
    block[at] = ~(block[at] ?? 0);
    this.#noteChange();
  }

  /** After a change in place, only stamps could tell it from an error. */
  checkBlock(got: Uint8Array, positionBytes: number, _: Slice, operation: number): void {
    if (operation % COMPARE_EVERY !== 0 || Atomics.load(this.#changes, 0) !== 0) return;
    const at = firstDifference(got, this.#block);
    if (at >= 0) throw new DataError('CORRUPT', positionBytes + at);
  }

  /** Pieces overlap blocks and each other: only stamps could tell what belongs where. */
  checkPiece(): void {}

  #noteChange(): void {
    if (this.#hasChanged) return;
    Atomics.store(this.#changes, 0, 1);
    this.#hasChanged = true;
  }
}
