import type { Slice } from '../protocol.js';

/**
 * What is written into the slices, and how what is read is judged. Any worker can say it of any slice; what one of them
 * has changed since the slices were written, all know.
 */
export interface TestData {
  /** What the sequential write puts at a position. */
  blockAt(positionBytes: number, slice: Slice): Uint8Array;
  /** What a random write puts at a position. */
  pieceAt(positionBytes: number, slice: Slice): Uint8Array;
  /** Changes one value of a block that was read, in another place each time, in a way that the checks know of. */
  change(block: Uint8Array, operation: number): void;
  /** Throws a DataError when a block is not what was written there; may let some of the operations pass unseen. */
  checkBlock(got: Uint8Array, positionBytes: number, slice: Slice, operation: number): void;
  checkPiece(got: Uint8Array, positionBytes: number, slice: Slice): void;
}

/** gobonniego's number: a prime, so that the blocks compared do not fall into step with any stripe. */
export const COMPARE_EVERY = 127;

/** The unit of what a device stores: nothing that is written here is smaller, nor aligned to less, when it is stamped. */
export const SECTOR_BYTES = 512;

/** Makes so much of every sector zeros, which any compression takes away. */
export function makeCompressible(bytes: Uint8Array, percent: number): void {
  const zeros = Math.round((SECTOR_BYTES * percent) / 100);
  for (let end = SECTOR_BYTES; end <= bytes.length; end += SECTOR_BYTES) bytes.fill(0, end - zeros, end);
}
