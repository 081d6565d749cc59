import { DataError, type DataOrigin, findFirstDifference } from '../files/read-write.js';
import type { MemoryRegion, Slice } from '../protocol.js';
import { Random } from '../random.js';
import { COMPARE_EVERY, makeCompressible, SECTOR_BYTES, type TestData } from './test-data.js';

/** Int32 words of the stamp at the start of every sector. */
const RUN = 0;
const FILE = 1;
const SECTOR_LOW = 2;
const SECTOR_HIGH = 3;
/** 0 after the sequential write, otherwise the number of the sector's last change. */
const GENERATION = 4;

const WORD_BYTES = Int32Array.BYTES_PER_ELEMENT;
const SECTOR_WORDS = SECTOR_BYTES / WORD_BYTES;
const TWO_TO_32 = 2 ** 32;

/** Random data, the same for every worker. Each worker stamps its own copy before writing. */
interface Pool {
  readonly bytes: Uint8Array;
  readonly words: Int32Array;
  readonly periodBytes: number;
}

export function fillPool(
  seed: number,
  compressiblePercent: number,
  memory: ArrayBufferLike,
  { poolOffsetBytes, poolBytes, periodBytes }: Omit<MemoryRegion, 'offsetBytes' | 'slotBytes'>,
): Pool {
  const bytes = new Uint8Array(memory, poolOffsetBytes, poolBytes);
  const period = bytes.subarray(0, periodBytes);
  new Random(seed).fill(period);
  makeCompressible(period, compressiblePercent);
  bytes.copyWithin(periodBytes, 0);
  return { bytes, words: toWords(bytes), periodBytes };
}

function toWords(bytes: Uint8Array): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / WORD_BYTES);
}

/**
 * Random data in which every sector is stamped with its run, file and offset, and the number of its last change. A
 * sector's offset in the pool follows from its offset in the file, so the data of neighbours also differs. A class for
 * the same reason as `SameBlock`.
 */
export class StampedData implements TestData {
  readonly isOverwritten = true;
  readonly isChecked: boolean;
  readonly #run: number;
  readonly #pool: Pool;
  readonly #verify: boolean;
  readonly #blockBytes: number;
  readonly #isRandom: boolean;
  readonly #changes: Int32Array;

  /**
   * `blockBytes` is the size of the phase's operations. `changes` is one word for all workers: the number of the last
   * change by any worker.
   */
  constructor(
    run: number,
    pool: Pool,
    verify: boolean,
    blockBytes: number,
    isRandom: boolean,
    changes: Int32Array,
  ) {
    this.#run = run;
    this.#pool = pool;
    this.#verify = verify;
    this.#blockBytes = blockBytes;
    this.#isRandom = isRandom;
    this.isChecked = verify || !isRandom;
    this.#changes = changes;
  }

  blockAt(positionBytes: number, slice: Slice): Uint8Array {
    return this.#stamp(positionBytes, slice, this.#blockBytes, this.#isRandom ? this.#nextGeneration() : 0);
  }

  change(block: Uint8Array, operation: number): void {
    const changed = toWords(block);
    changed[((operation * SECTOR_WORDS) % changed.length) + GENERATION] = this.#nextGeneration();
  }

  checkBlock(actual: Uint8Array, positionBytes: number, slice: Slice, operation: number): void {
    if (this.#verify || operation % COMPARE_EVERY === 0) this.#check(actual, positionBytes, slice);
  }

  #nextGeneration(): number {
    return Atomics.add(this.#changes, 0, 1) + 1;
  }

  #stamp(positionBytes: number, slice: Slice, lengthBytes: number, generation: number): Uint8Array {
    const { bytes, words, periodBytes } = this.#pool;
    const at = positionBytes % periodBytes;
    const endWord = (at + lengthBytes) / WORD_BYTES;
    let sector = positionBytes / SECTOR_BYTES;
    for (let word = at / WORD_BYTES; word < endWord; word += SECTOR_WORDS) {
      words[word + RUN] = this.#run;
      words[word + FILE] = slice.fileIndex;
      words[word + SECTOR_LOW] = sector;
      words[word + SECTOR_HIGH] = sector / TWO_TO_32;
      words[word + GENERATION] = generation;
      sector += 1;
    }
    return bytes.subarray(at, at + lengthBytes);
  }

  #check(actual: Uint8Array, positionBytes: number, slice: Slice): void {
    const expected = this.#stamp(positionBytes, slice, actual.length, 0);
    const actualWords = toWords(actual);
    const expectedWords = toWords(expected);
    const lastGeneration = Atomics.load(this.#changes, 0) >>> 0;
    // Only the sector itself records its last change.
    for (let word = GENERATION; word < actualWords.length; word += SECTOR_WORDS) {
      const generation = actualWords[word] ?? 0;
      if (generation >>> 0 <= lastGeneration) expectedWords[word] = generation;
    }
    const at = findFirstDifference(actual, expected);
    if (at < 0) return;
    const sectorWord = Math.floor(at / SECTOR_BYTES) * SECTOR_WORDS;
    const isStampWrong = at % SECTOR_BYTES < GENERATION * WORD_BYTES;
    const damage = isStampWrong
      ? (readOrigin(actualWords.subarray(sectorWord), this.#run) ?? 'no-stamp')
      : null;
    throw new DataError('CORRUPT', positionBytes + at, slice.file, damage);
  }
}

/** Returns where misplaced data belongs, by its stamp. Null if it has no valid stamp. */
function readOrigin(stamp: Int32Array, lastRun: number): DataOrigin | null {
  const [run = 0, fileIndex = 0, low = 0, high = 0] = stamp;
  const offsetBytes = (high * TWO_TO_32 + (low >>> 0)) * SECTOR_BYTES;
  const isPlausible = run > 0 && run <= lastRun && fileIndex >= 0 && Number.isSafeInteger(offsetBytes);
  return isPlausible ? { run, fileIndex, offsetBytes } : null;
}
