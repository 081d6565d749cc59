import type { Region, Transfer } from '../protocol.js';
import { Random } from '../random.js';
import { makeCompressible } from './test-data.js';

export const WORD_BYTES = Int32Array.BYTES_PER_ELEMENT;

/** Random data, the same for every worker; each has a copy of its own to stamp before writing. */
export interface Pool {
  readonly bytes: Uint8Array;
  readonly words: Int32Array;
  /** The data repeats after this many bytes; the pool is longer, so that every block in it is contiguous. */
  readonly periodBytes: number;
}

export function fillPool(
  seed: number,
  compressiblePercent: number,
  { blockSizeBytes, ioSizeBytes }: Pick<Transfer, 'blockSizeBytes' | 'ioSizeBytes'>,
  memory: ArrayBufferLike,
  { poolOffsetBytes, poolBytes }: Pick<Region, 'poolOffsetBytes' | 'poolBytes'>,
): Pool {
  const bytes = new Uint8Array(memory, poolOffsetBytes, poolBytes);
  const periodBytes = poolBytes - Math.max(blockSizeBytes, ioSizeBytes);
  const period = bytes.subarray(0, periodBytes);
  new Random(seed).fill(period);
  makeCompressible(period, compressiblePercent);
  bytes.copyWithin(periodBytes, 0);
  return { bytes, words: wordsOf(bytes), periodBytes };
}

export function wordsOf(bytes: Uint8Array): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / WORD_BYTES);
}
