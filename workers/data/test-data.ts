import type { Slice } from '../protocol.js';

/**
 * The data that a phase writes to the slices, and the checks of reads. Any worker can do both for any slice, because the
 * workers share the number of changes since the slices were written.
 */
export interface TestData {
  /** Whether the data of a write changes with the next call. */
  readonly isOverwritten: boolean;
  /** Whether reads of the phase are checked. */
  readonly isChecked: boolean;
  /** Returns the data of a write at a position. */
  blockAt(positionBytes: number, slice: Slice): Uint8Array;
  /** Changes one value of a block, at another offset for each operation, in a way that the checks recognise. */
  change(block: Uint8Array, operation: number): void;
  /** Throws a DataError if a block differs from the data written there. May check only some operations. */
  checkBlock(actual: Uint8Array, positionBytes: number, slice: Slice, operation: number): void;
}

/** gobonniego's interval: a prime, so the checked blocks do not align with a RAID's stripes. */
export const COMPARE_EVERY = 127;

/** The smallest unit that a device stores. Stamped writes are aligned to it, and multiples of it. */
export const SECTOR_BYTES = 512;

/** Fills a part of every sector with zeros, which any compression removes. */
export function makeCompressible(bytes: Uint8Array, percent: number): void {
  const zeros = Math.round((SECTOR_BYTES * percent) / 100);
  for (let end = SECTOR_BYTES; end <= bytes.length; end += SECTOR_BYTES) bytes.fill(0, end - zeros, end);
}
