import { compare } from '../files/transfer.js';
import type { Slice } from '../protocol.js';
import { COMPARE_EVERY, type TestData } from './test-data.js';

/** A changed value is a word of so many bytes. */
const WORD_BYTES = 4;

/** The one random block, again and again, as gobonniego does it. */
export class SameBlock implements TestData {
  readonly #block: Uint8Array;
  readonly #piece: Uint8Array;
  /** One word for all workers: whether any of them has changed anything. */
  readonly #changes: Int32Array;
  #isTold = false;

  constructor(block: Uint8Array, piece: Uint8Array, changes: Int32Array) {
    this.#block = block;
    this.#piece = piece;
    this.#changes = changes;
  }

  blockAt(): Uint8Array {
    return this.#block;
  }

  pieceAt(): Uint8Array {
    this.#tell();
    return this.#piece;
  }

  change(block: Uint8Array, operation: number): void {
    const at = (operation * WORD_BYTES) % block.length;
    block[at] = ~(block[at] ?? 0);
    this.#tell();
  }

  /** What was changed in place cannot be told from what went wrong: only stamps could. */
  checkBlock(got: Uint8Array, positionBytes: number, _: Slice, operation: number): void {
    if (operation % COMPARE_EVERY !== 0 || Atomics.load(this.#changes, 0) !== 0) return;
    compare(got, this.#block, positionBytes);
  }

  /** The pieces lie anywhere in the blocks and over each other: only stamps could tell what belongs where. */
  checkPiece(): void {}

  #tell(): void {
    if (this.#isTold) return;
    Atomics.store(this.#changes, 0, 1);
    this.#isTold = true;
  }
}
