import type { Slice } from '../protocol.js';

/**
 * The data that is written to the slices, and how reads are checked. Any worker can do both for any slice, as they share
 * the number of changes since the slices were written.
 */
export interface TestData {
  /** What the sequential write writes at a position. */
  blockAt(positionBytes: number, slice: Slice): Uint8Array;
  /** What a random write writes at a position. */
  randomBlockAt(positionBytes: number, slice: Slice): Uint8Array;
  /** Changes one value of a block, each time at another offset, in a way that the checks recognise. */
  change(block: Uint8Array, operation: number): void;
  /** Throws a DataError if a block differs from the data written there. May check only some of the operations. */
  checkBlock(actual: Uint8Array, positionBytes: number, slice: Slice, operation: number): void;
  checkRandomBlock(actual: Uint8Array, positionBytes: number, slice: Slice): void;
}

/** gobonniego's number: a prime, so the checked blocks do not align with a RAID's stripes. */
export const COMPARE_EVERY = 127;

/** The smallest unit that a device stores. Stamped writes are multiples of it, and aligned to it. */
export const SECTOR_BYTES = 512;

/** Zeroes a part of every sector, which any compression removes. */
export function makeCompressible(bytes: Uint8Array, percent: number): void {
  const zeros = Math.round((SECTOR_BYTES * percent) / 100);
  for (let end = SECTOR_BYTES; end <= bytes.length; end += SECTOR_BYTES) bytes.fill(0, end - zeros, end);
}
