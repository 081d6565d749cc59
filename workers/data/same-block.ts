import { compare } from '../transfer.js';
import { COMPARE_EVERY, type TestData } from './test-data.js';

/** The one random block, again and again, as gobonniego does it. */
export class SameBlock implements TestData {
  readonly #block: Uint8Array;
  readonly #piece: Uint8Array;

  constructor(block: Uint8Array, piece: Uint8Array) {
    this.#block = block;
    this.#piece = piece;
  }

  blockAt(): Uint8Array {
    return this.#block;
  }

  pieceAt(): Uint8Array {
    return this.#piece;
  }

  checkBlock(got: Uint8Array, positionBytes: number, operation: number): void {
    if (operation % COMPARE_EVERY === 0) compare(got, this.#block, positionBytes);
  }

  /** The pieces lie anywhere in the blocks and over each other: only stamps could tell what belongs where. */
  checkPiece(): void {}
}
