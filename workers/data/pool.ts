import type { Region, Transfer } from '../protocol.js';
import { Random } from '../random.js';
import { makeCompressible } from './test-data.js';

export const WORD_BYTES = Int32Array.BYTES_PER_ELEMENT;

/** Random data, the same for every worker, that each stamps in memory of its own before it writes it. */
export interface Pool {
  readonly bytes: Uint8Array;
  readonly words: Int32Array;
  /** The pool's end repeats its beginning, so that what reaches over the end lies in one piece. */
  readonly roundBytes: number;
}

export function fillPool(
  seed: number,
  compressiblePercent: number,
  { blockSizeBytes, ioSizeBytes }: Pick<Transfer, 'blockSizeBytes' | 'ioSizeBytes'>,
  memory: ArrayBufferLike,
  { poolOffsetBytes, poolBytes }: Pick<Region, 'poolOffsetBytes' | 'poolBytes'>,
): Pool {
  const bytes = new Uint8Array(memory, poolOffsetBytes, poolBytes);
  const roundBytes = poolBytes - Math.max(blockSizeBytes, ioSizeBytes);
  const round = bytes.subarray(0, roundBytes);
  new Random(seed).fill(round);
  makeCompressible(round, compressiblePercent);
  bytes.copyWithin(roundBytes, 0);
  return { bytes, words: wordsOf(bytes), roundBytes };
}

export function wordsOf(bytes: Uint8Array): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / WORD_BYTES);
}
