import { describe, expect, test } from 'vitest';
import { SameBlock } from '../../../workers/data/same-block.js';
import { COMPARE_EVERY, makeCompressible, SECTOR_BYTES } from '../../../workers/data/test-data.js';
import { DataError } from '../../../workers/files/read-write.js';
import { Random } from '../../../workers/random.js';

const BLOCK_BYTES = 4096;
const PIECE_BYTES = 512;
const SLICE = { fileIndex: 0, file: 'bonnie.0', offsetBytes: 0, lengthBytes: 2 ** 46 };

function noise(bytes: number): Uint8Array {
  const block = new Uint8Array(new SharedArrayBuffer(bytes));
  new Random(42).fill(block);
  return block;
}

function makeData() {
  const block = noise(BLOCK_BYTES);
  const randomBlock = block.subarray(0, PIECE_BYTES);
  const changes = new Int32Array(1);
  const makeColleague = () => new SameBlock(block, block, false, changes);
  const randomData = new SameBlock(block, randomBlock, true, changes);
  return { block, randomBlock, changes, data: makeColleague(), randomData, makeColleague };
}

function corruptError(positionBytes: number): Error {
  return expect.objectContaining({ constructor: DataError, code: 'CORRUPT', positionBytes });
}

test('every write uses the same memory, without allocation or copying', () => {
  const { block, randomBlock, data, randomData } = makeData();
  expect(data.blockAt()).toBe(block);
  expect(randomData.blockAt()).toBe(randomBlock);
});

test('every 127th block is compared, including the first block', () => {
  const { data } = makeData();
  const wrong = new Uint8Array(BLOCK_BYTES);
  const operations = Array.from({ length: 3 * COMPARE_EVERY }, (_, operation) => operation);
  const compared = operations.filter((operation) => {
    try {
      data.checkBlock(wrong, 0, SLICE, operation);
      return false;
    } catch {
      return true;
    }
  });
  expect(compared).toEqual([0, 127, 254]);
});

test.each([0, 1, 2047, 4095])('the error for a different byte at %i has its offset in the file', (at) => {
  const { block, data } = makeData();
  const got = block.slice();
  got[at] = (got[at] ?? 0) ^ 128;
  expect(() => data.checkBlock(got, 3 * BLOCK_BYTES, SLICE, 0)).toThrow(corruptError(3 * BLOCK_BYTES + at));
});

describe('after a worker has changed the data', () => {
  const wrong = new Uint8Array(BLOCK_BYTES);

  test.each<[string, (data: ReturnType<typeof makeData>) => void]>([
    ['with a random write', ({ randomData }) => randomData.blockAt()],
    ['with a rewritten value', ({ data }) => data.change(noise(BLOCK_BYTES), 0)],
  ])('%s, no worker compares blocks', (_, change) => {
    const made = makeData();
    const { data, makeColleague } = made;
    const colleague = makeColleague();
    expect(() => colleague.checkBlock(wrong, 0, SLICE, 0)).toThrow(corruptError(0));
    change(made);
    expect(() => colleague.checkBlock(wrong, 0, SLICE, 0)).not.toThrow();
    expect(() => data.checkBlock(wrong, 0, SLICE, 0)).not.toThrow();
  });

  test('workers compare blocks again after the next sequential write', () => {
    const { randomData, changes, makeColleague } = makeData();
    randomData.blockAt();
    changes[0] = 0;
    expect(() => makeColleague().checkBlock(wrong, 0, SLICE, 0)).toThrow(corruptError(0));
  });
});

describe('compressible data', () => {
  const SECTORS = 8;

  test.each([
    [0, 0],
    [10, 51],
    [50, 256],
    [99.9, 511],
    [100, 512],
  ])('data that is %f percent compressible has %i zeros at the end of every sector', (percent, zeros) => {
    const bytes = noise(SECTORS * SECTOR_BYTES);
    const before = bytes.slice();
    makeCompressible(bytes, percent);
    const wanted = before.map((byte, at) => (at % SECTOR_BYTES >= SECTOR_BYTES - zeros ? 0 : byte));
    expect(Buffer.compare(bytes, wanted)).toBe(0);
  });

  test('compressible data has no zeros in an incomplete last sector', () => {
    const bytes = noise(SECTOR_BYTES + 100);
    const before = bytes.slice();
    makeCompressible(bytes, 100);
    expect(bytes.subarray(SECTOR_BYTES)).toEqual(before.subarray(SECTOR_BYTES));
  });
});
