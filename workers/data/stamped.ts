import { DataError } from '../files/transfer.js';
import type { Slice, Transfer } from '../protocol.js';
import { type Pool, WORD_BYTES, wordsOf } from './pool.js';
import { COMPARE_EVERY, SECTOR_BYTES, type TestData } from './test-data.js';

/** The Int32 words of a stamp, at the start of every sector. */
const RUN = 0;
const SLICE = 1;
const SECTOR_LOW = 2;
const SECTOR_HIGH = 3;
/** 0 as written by the sequential write, else the number of the sector's last change. */
const GENERATION = 4;

const SECTOR_WORDS = SECTOR_BYTES / WORD_BYTES;
const TWO_TO_32 = 2 ** 32;

/**
 * Random data in which every sector is stamped with its run, slice and offset, and how often it was changed. A sector's
 * place in the pool follows from its place in the slice, so that neighbours differ behind their stamps, too.
 */
export class Stamped implements TestData {
  readonly #run: number;
  readonly #pool: Pool;
  readonly #verify: boolean;
  readonly #blockSizeBytes: number;
  readonly #ioSizeBytes: number;
  /** One word for all workers: the number of the last change by any of them. */
  readonly #changes: Int32Array;

  constructor(
    run: number,
    pool: Pool,
    verify: boolean,
    { blockSizeBytes, ioSizeBytes }: Pick<Transfer, 'blockSizeBytes' | 'ioSizeBytes'>,
    changes: Int32Array,
  ) {
    this.#run = run;
    this.#pool = pool;
    this.#verify = verify;
    this.#blockSizeBytes = blockSizeBytes;
    this.#ioSizeBytes = ioSizeBytes;
    this.#changes = changes;
  }

  blockAt(positionBytes: number, slice: Slice): Uint8Array {
    return this.#stamp(positionBytes, slice, this.#blockSizeBytes, 0);
  }

  pieceAt(positionBytes: number, slice: Slice): Uint8Array {
    return this.#stamp(positionBytes, slice, this.#ioSizeBytes, this.#nextGeneration());
  }

  change(block: Uint8Array, operation: number): void {
    const words = wordsOf(block);
    words[((operation * SECTOR_WORDS) % words.length) + GENERATION] = this.#nextGeneration();
  }

  checkBlock(got: Uint8Array, positionBytes: number, slice: Slice, operation: number): void {
    if (this.#verify || operation % COMPARE_EVERY === 0) this.#check(got, positionBytes, slice);
  }

  checkPiece(got: Uint8Array, positionBytes: number, slice: Slice): void {
    if (this.#verify) this.#check(got, positionBytes, slice);
  }

  #nextGeneration(): number {
    return Atomics.add(this.#changes, 0, 1) + 1;
  }

  #stamp(positionBytes: number, slice: Slice, lengthBytes: number, generation: number): Uint8Array {
    const placeBytes = positionBytes - slice.offsetBytes;
    const { bytes, words, periodBytes } = this.#pool;
    const at = placeBytes % periodBytes;
    const endWord = (at + lengthBytes) / WORD_BYTES;
    let sector = placeBytes / SECTOR_BYTES;
    for (let word = at / WORD_BYTES; word < endWord; word += SECTOR_WORDS) {
      words[word + RUN] = this.#run;
      words[word + SLICE] = slice.index;
      words[word + SECTOR_LOW] = sector;
      words[word + SECTOR_HIGH] = sector / TWO_TO_32;
      words[word + GENERATION] = generation;
      sector += 1;
    }
    return bytes.subarray(at, at + lengthBytes);
  }

  #check(got: Uint8Array, positionBytes: number, slice: Slice): void {
    const wanted = this.#stamp(positionBytes, slice, got.length, 0);
    const gotWords = wordsOf(got);
    const wantedWords = wordsOf(wanted);
    const lastGeneration = Atomics.load(this.#changes, 0) >>> 0;
    // Only the sector itself tells which change was its last.
    for (let word = GENERATION; word < gotWords.length; word += SECTOR_WORDS) {
      const generation = gotWords[word] ?? 0;
      if (generation >>> 0 <= lastGeneration) wantedWords[word] = generation;
    }
    if (Buffer.compare(got, wanted) === 0) return;
    const at = got.findIndex((byte, index) => byte !== wanted[index]);
    const sectorWord = Math.floor(at / SECTOR_BYTES) * SECTOR_WORDS;
    const isStampWrong = at % SECTOR_BYTES < GENERATION * WORD_BYTES;
    const what =
      (isStampWrong && this.#originOf(gotWords.subarray(sectorWord), slice)) ||
      'what was read is not what was written';
    throw new DataError('CORRUPT', positionBytes + at, what);
  }

  /** Describes data that belongs elsewhere, by its stamp. Null if it has no valid stamp. */
  #originOf(stamp: Int32Array, slice: Slice): string | null {
    const [itsRun = 0, itsSlice = 0, low = 0, high = 0] = stamp;
    const placeBytes = (high * TWO_TO_32 + (low >>> 0)) * SECTOR_BYTES;
    // Slices differ in length by one block at most.
    const couldBe = itsRun > 0 && itsRun <= this.#run && itsSlice >= 0;
    const isInSlice = placeBytes < slice.lengthBytes + this.#blockSizeBytes;
    return couldBe && isInSlice
      ? `its sector has the stamp of offset ${placeBytes} of slice ${itsSlice} in run ${itsRun}`
      : null;
  }
}
