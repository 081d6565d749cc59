import type { Content, Region, Slice, Transfer } from '../protocol.js';
import { Random } from '../random.js';
import { DataError } from '../transfer.js';
import { COMPARE_EVERY, makeCompressible, SECTOR_BYTES, type TestData } from './test-data.js';

/** The Int32 words of a stamp, at the start of every sector. */
const RUN = 0;
const SLICE = 1;
const SECTOR_LOW = 2;
const SECTOR_HIGH = 3;
/** 0 as the sequential write left it, else the number of the random write that changed it last. */
const GENERATION = 4;

const WORD_BYTES = Int32Array.BYTES_PER_ELEMENT;
const SECTOR_WORDS = SECTOR_BYTES / WORD_BYTES;
const TWO_TO_32 = 2 ** 32;

/** What tells this worker's data of this run from all other data. */
export interface Owner {
  readonly seed: number;
  readonly run: number;
  readonly index: number;
  readonly slice: Slice;
}

/**
 * Random data of which every sector says to which run, slice and place it belongs, and how often it was changed. The
 * place of a sector in the file is its place in the pool, so that neighbours are not alike behind their stamps either.
 */
export class Stamped implements TestData {
  readonly #owner: Owner;
  readonly #verify: boolean;
  readonly #pool: Uint8Array;
  readonly #poolWords: Int32Array;
  /** The pool's end repeats its beginning, so that what reaches over the end lies in one piece. */
  readonly #roundBytes: number;
  readonly #blockSizeBytes: number;
  readonly #ioSizeBytes: number;
  #generation = 0;

  constructor(
    owner: Owner,
    { verify, compressiblePercent }: Content,
    { blockSizeBytes, ioSizeBytes }: Pick<Transfer, 'blockSizeBytes' | 'ioSizeBytes'>,
    memory: ArrayBufferLike,
    { poolOffsetBytes, poolBytes }: Pick<Region, 'poolOffsetBytes' | 'poolBytes'>,
  ) {
    this.#owner = owner;
    this.#verify = verify;
    this.#blockSizeBytes = blockSizeBytes;
    this.#ioSizeBytes = ioSizeBytes;
    this.#pool = new Uint8Array(memory, poolOffsetBytes, poolBytes);
    this.#poolWords = wordsOf(this.#pool);
    this.#roundBytes = poolBytes - Math.max(blockSizeBytes, ioSizeBytes);
    const round = this.#pool.subarray(0, this.#roundBytes);
    new Random(owner.seed, owner.index).fill(round);
    makeCompressible(round, compressiblePercent);
    this.#pool.copyWithin(this.#roundBytes, 0);
  }

  blockAt(positionBytes: number): Uint8Array {
    return this.#stamp(positionBytes, this.#blockSizeBytes, 0);
  }

  pieceAt(positionBytes: number): Uint8Array {
    this.#generation += 1;
    return this.#stamp(positionBytes, this.#ioSizeBytes, this.#generation);
  }

  checkBlock(got: Uint8Array, positionBytes: number, operation: number): void {
    if (this.#verify || operation % COMPARE_EVERY === 0) this.#check(got, positionBytes);
  }

  checkPiece(got: Uint8Array, positionBytes: number): void {
    if (this.#verify) this.#check(got, positionBytes);
  }

  #stamp(positionBytes: number, lengthBytes: number, generation: number): Uint8Array {
    const { run, index, slice } = this.#owner;
    const placeBytes = positionBytes - slice.offsetBytes;
    const at = placeBytes % this.#roundBytes;
    const words = this.#poolWords;
    const endWord = (at + lengthBytes) / WORD_BYTES;
    let sector = placeBytes / SECTOR_BYTES;
    for (let word = at / WORD_BYTES; word < endWord; word += SECTOR_WORDS) {
      words[word + RUN] = run;
      words[word + SLICE] = index;
      words[word + SECTOR_LOW] = sector;
      words[word + SECTOR_HIGH] = sector / TWO_TO_32;
      words[word + GENERATION] = generation;
      sector += 1;
    }
    return this.#pool.subarray(at, at + lengthBytes);
  }

  #check(got: Uint8Array, positionBytes: number): void {
    const wanted = this.#stamp(positionBytes, got.length, 0);
    const gotWords = wordsOf(got);
    const wantedWords = wordsOf(wanted);
    // Which random write changed a sector last, only the sector itself can say.
    for (let word = GENERATION; word < gotWords.length; word += SECTOR_WORDS) {
      const generation = gotWords[word] ?? 0;
      if (generation >>> 0 <= this.#generation) wantedWords[word] = generation;
    }
    if (Buffer.compare(got, wanted) === 0) return;
    const at = got.findIndex((byte, index) => byte !== wanted[index]);
    const sectorWord = Math.floor(at / SECTOR_BYTES) * SECTOR_WORDS;
    const isStampWrong = at % SECTOR_BYTES < GENERATION * WORD_BYTES;
    const what =
      (isStampWrong && this.#ownerOf(gotWords.subarray(sectorWord))) ||
      'what was read is not what was written';
    throw new DataError('CORRUPT', positionBytes + at, what);
  }

  /** Names data that belongs elsewhere by its own stamp. Null for what is none. */
  #ownerOf(stamp: Int32Array): string | null {
    const { run, slice } = this.#owner;
    const [itsRun = 0, itsSlice = 0, low = 0, high = 0] = stamp;
    const placeBytes = (high * TWO_TO_32 + (low >>> 0)) * SECTOR_BYTES;
    // Slices differ in length by a block at most.
    const couldBe = itsRun > 0 && itsRun <= run && itsSlice >= 0;
    const isInSlice = placeBytes < slice.lengthBytes + this.#blockSizeBytes;
    return couldBe && isInSlice
      ? `its sector bears the stamp of offset ${placeBytes} of slice ${itsSlice} in run ${itsRun}`
      : null;
  }
}

function wordsOf(bytes: Uint8Array): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / WORD_BYTES);
}
