import { describe, expect, test } from 'vitest';
import { layOutMemory, workerRegion } from '../../../src/plan/memory-layout.js';
import { GIB, KIB, MIB } from '../../../src/text/units.js';
import { fillPool, StampedData } from '../../../workers/data/stamped-data.js';
import { COMPARE_EVERY, SECTOR_BYTES, type TestData } from '../../../workers/data/test-data.js';
import { DataError } from '../../../workers/files/read-write.js';
import type { Slice, Transfer } from '../../../workers/protocol.js';
import { Random } from '../../../workers/random.js';

const BLOCK_BYTES = 4096;
const IO_BYTES = 3 * SECTOR_BYTES;
/** A small pool, so a small slice uses it several times. */
const PERIOD_BYTES = 4 * BLOCK_BYTES;
const STAMP_BYTES = 20;
/** Offset of the change number in a sector. */
const GENERATION_AT = 16;
const UNKNOWN_ORIGIN = 'data mismatch: the data read back differs from what was written';

const USUAL = {
  seed: 42,
  run: 1,
  fileIndex: 0,
  offsetBytes: 0,
  lengthBytes: 1024 * GIB,
  verify: true,
  compressiblePercent: 0,
  blockSizeBytes: BLOCK_BYTES,
  ioSizeBytes: IO_BYTES,
  periodBytes: PERIOD_BYTES,
};

/** Makes the data of one slice of a run, with defaults. */
function makeStamped(facts: Partial<typeof USUAL> = {}, changes = new Int32Array(1)) {
  const usual = { ...USUAL, ...facts };
  const { seed, run, fileIndex, offsetBytes, lengthBytes, periodBytes } = usual;
  const poolBytes = periodBytes + Math.max(usual.blockSizeBytes, usual.ioSizeBytes);
  const memory = new SharedArrayBuffer(poolBytes);
  const region = { poolOffsetBytes: 0, poolBytes, periodBytes };
  const pool = fillPool(seed, usual.compressiblePercent, memory, region);
  const slice = { fileIndex, file: `bonnie.${fileIndex}`, offsetBytes, lengthBytes };
  return within(
    slice,
    (blockBytes, isRandom) => new StampedData(run, pool, usual.verify, blockBytes, isRandom, changes),
    usual,
  );
}

/** Returns the methods of a sequential and of a random phase's data, bound to this slice. */
function within(
  slice: Slice,
  makeData: (blockBytes: number, isRandom: boolean) => TestData,
  { blockSizeBytes, ioSizeBytes }: Pick<Transfer, 'blockSizeBytes' | 'ioSizeBytes'>,
) {
  const data = makeData(blockSizeBytes, false);
  const randomData = makeData(ioSizeBytes, true);
  return {
    blockAt: (position: number) => data.blockAt(position, slice),
    randomBlockAt: (position: number) => randomData.blockAt(position, slice),
    change: (block: Uint8Array, operation: number) => data.change(block, operation),
    checkBlock: (got: Uint8Array, position: number, operation: number) =>
      data.checkBlock(got, position, slice, operation),
    checkRandomBlock: (got: Uint8Array, position: number) =>
      randomData.isChecked && randomData.checkBlock(got, position, slice, 0),
  };
}

function catchFault(check: () => void): DataError | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof DataError) return error;
    throw error;
  }
}

/** Returns consecutive positions. */
function positions(fromBytes: number, stepBytes: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => fromBytes + at * stepBytes);
}

/** Returns the sectors of a slice that is written block by block, as strings. */
function listSectors(
  data: Pick<ReturnType<typeof makeStamped>, 'blockAt'>,
  lengthBytes: number,
): readonly string[] {
  return positions(0, BLOCK_BYTES, lengthBytes / BLOCK_BYTES).flatMap((position) => {
    const block = Buffer.from(data.blockAt(position).slice());
    return positions(0, SECTOR_BYTES, BLOCK_BYTES / SECTOR_BYTES).map((at) =>
      block.toString('latin1', at, at + SECTOR_BYTES),
    );
  });
}

describe('data is accepted only at its own offset', () => {
  const OFFSET_BYTES = 40 * BLOCK_BYTES;
  const TWO_TO_32_SECTORS_BYTES = 2 ** 32 * SECTOR_BYTES;

  test.each([
    ['from the start of a file', 0, 0],
    ['in a slice in the middle of a file', OFFSET_BYTES, OFFSET_BYTES],
    ['around the 2^32nd sector', 0, TWO_TO_32_SECTORS_BYTES - 2 * PERIOD_BYTES],
    ['far beyond the 2^32nd sector, in a slice', OFFSET_BYTES, OFFSET_BYTES + 5 * TWO_TO_32_SECTORS_BYTES],
  ])('with blocks and random operations %s, several times through the pool', (_, offsetBytes, fromBytes) => {
    const data = makeStamped({ offsetBytes, lengthBytes: 2 ** 52 });
    const blockPlaces = positions(fromBytes, BLOCK_BYTES, 16);
    const randomBlockPositions = positions(fromBytes, SECTOR_BYTES, 80);
    const blocks = blockPlaces.map((position) => data.blockAt(position).slice());
    const pieces = randomBlockPositions.map((position) => data.randomBlockAt(position).slice());
    const accepted = blocks.map((block) =>
      blockPlaces.filter((position) => !catchFault(() => data.checkBlock(block, position, 0))),
    );
    const isAccepted = (piece: Uint8Array, position: number) =>
      !catchFault(() => data.checkRandomBlock(piece, position));
    const acceptedPieces = pieces.map((piece) =>
      randomBlockPositions.filter((position) => isAccepted(piece, position)),
    );
    expect(accepted).toEqual(blockPlaces.map((position) => [position]));
    expect(acceptedPieces).toEqual(randomBlockPositions.map((position) => [position]));
  });

  test('with blocks 2^32 sectors apart, which have the same data after their stamps', () => {
    const data = makeStamped({ lengthBytes: 2 ** 52 });
    const near = data.blockAt(BLOCK_BYTES).slice();
    const far = data.blockAt(BLOCK_BYTES + TWO_TO_32_SECTORS_BYTES).slice();
    expect(far.subarray(STAMP_BYTES, SECTOR_BYTES)).toEqual(near.subarray(STAMP_BYTES, SECTOR_BYTES));
    expect(catchFault(() => data.checkBlock(far, BLOCK_BYTES, 0))).not.toBeNull();
    expect(catchFault(() => data.checkBlock(near, BLOCK_BYTES + TWO_TO_32_SECTORS_BYTES, 0))).not.toBeNull();
  });
});

test('data of another slice, run or seed is rejected', () => {
  const block = makeStamped().blockAt(0).slice();
  for (const other of [{ fileIndex: 1 }, { run: 2 }, { seed: 43 }]) {
    expect(catchFault(() => makeStamped(other).checkBlock(block, 0, 0))).not.toBeNull();
  }
  expect(catchFault(() => makeStamped().checkBlock(block, 0, 0))).toBeNull();
});

test.each([0, 7 * BLOCK_BYTES])(
  'a slice at offset %i is accepted after random rewrites in any order',
  (offsetBytes) => {
    const lengthBytes = 11 * BLOCK_BYTES;
    const data = makeStamped({ offsetBytes, lengthBytes });
    const file = new Uint8Array(offsetBytes + lengthBytes);
    const blocks = positions(offsetBytes, BLOCK_BYTES, 11);
    for (const position of blocks) file.set(data.blockAt(position), position);
    const random = new Random(7);
    const places = (lengthBytes - IO_BYTES) / SECTOR_BYTES + 1;
    for (let operation = 0; operation < 2000; operation++) {
      const written = offsetBytes + random.below(places) * SECTOR_BYTES;
      file.set(data.randomBlockAt(written), written);
      const read = offsetBytes + random.below(places) * SECTOR_BYTES;
      data.checkRandomBlock(file.slice(read, read + IO_BYTES), read);
    }
    for (const position of blocks) data.checkBlock(file.slice(position, position + BLOCK_BYTES), position, 0);
  },
);

test.each([
  ['random data', 0],
  ['zeros', 100],
])(
  'a flipped bit anywhere in the first and the last sector of a block of %s is reported with its offset',
  (_, compressiblePercent) => {
    const position = 3 * PERIOD_BYTES - BLOCK_BYTES;
    const data = makeStamped({ compressiblePercent });
    const block = data.blockAt(position).slice();
    const missed: string[] = [];
    const inFirstSector = positions(0, 1, SECTOR_BYTES);
    const inLastSector = positions(BLOCK_BYTES - SECTOR_BYTES, 1, SECTOR_BYTES);
    for (const at of [...inFirstSector, ...inLastSector]) {
      const right = block[at] ?? 0;
      for (const flipped of [1, 128, 255]) {
        block[at] = right ^ flipped;
        const fault = catchFault(() => data.checkBlock(block, position, 0));
        if (fault?.code !== 'CORRUPT' || fault.positionBytes !== position + at)
          missed.push(`byte ${at % SECTOR_BYTES} of a sector, ${flipped} flipped`);
      }
      block[at] = right;
    }
    expect([...new Set(missed)]).toEqual([]);
  },
);

describe('the number of the last change', () => {
  test("workers share one count of changes, and accept each other's changes", () => {
    const changes = new Int32Array(1);
    const one = makeStamped({}, changes);
    const other = makeStamped({}, changes);
    const block = one.blockAt(0).slice();
    for (const [operation, data] of [one, other, other, one].entries()) data.change(block, operation);
    expect(changes[0]).toBe(4);
    for (const data of [one, other]) expect(catchFault(() => data.checkBlock(block, 0, 0))).toBeNull();
    expect(catchFault(() => makeStamped().checkBlock(block, 0, 0))).not.toBeNull();
  });

  test('every number that was written is accepted, because only the sector records it', () => {
    const data = makeStamped();
    const pieces = [1, 2, 3].map(() => data.randomBlockAt(0).slice());
    for (const randomBlock of pieces)
      expect(catchFault(() => data.checkRandomBlock(randomBlock, 0))).toBeNull();
    expect(new Set(pieces.map((randomBlock) => randomBlock[GENERATION_AT]))).toEqual(new Set([1, 2, 3]));
  });

  test.each([
    ['larger than every written number', 4],
    ['negative', -1],
    ['the smallest possible', -(2 ** 31)],
  ])('a number that is %s is rejected', (_, generation) => {
    const data = makeStamped();
    const randomBlock = [1, 2, 3].map(() => data.randomBlockAt(0).slice())[2] ?? new Uint8Array();
    new DataView(randomBlock.buffer).setInt32(SECTOR_BYTES + GENERATION_AT, generation, true);
    expect(catchFault(() => data.checkRandomBlock(randomBlock, 0))?.code).toBe('CORRUPT');
  });
});

describe('the error for corrupt data', () => {
  /** Returns the message for a block that was replaced with another block. */
  function messageFor(theirs: Uint8Array, own: Partial<typeof USUAL>): string | undefined {
    return catchFault(() => makeStamped(own).checkBlock(theirs.slice(), 0, 0))?.message;
  }

  const noise = new Uint8Array(BLOCK_BYTES);
  new Random(99).fill(noise);
  const flipped = makeStamped().blockAt(0).slice();
  flipped[SECTOR_BYTES + 100] = ~(flipped[SECTOR_BYTES + 100] ?? 0);
  const other = makeStamped({ fileIndex: 3 });
  const FAR = 2 ** 31 * SECTOR_BYTES;
  const FARTHER = (2 ** 32 + 8) * SECTOR_BYTES;

  test.each<[string, Uint8Array, Partial<typeof USUAL>, string]>([
    ['another offset', makeStamped().blockAt(5 * BLOCK_BYTES), {}, 'offset 20480 of data file 0 in run 1'],
    ['the 2^31st sector', makeStamped().blockAt(FAR), {}, `offset ${FAR} of data file 0 in run 1`],
    ['beyond the 2^32nd', makeStamped().blockAt(FARTHER), {}, `offset ${FARTHER} of data file 0 in run 1`],
    ['another file', other.blockAt(2 * BLOCK_BYTES), {}, 'offset 8192 of data file 3 in run 1'],
    ['an earlier run', makeStamped().blockAt(0), { run: 2 }, 'offset 0 of data file 0 in run 1'],
  ])('names the origin of data from %s', (_, theirs, own, origin) => {
    expect(messageFor(theirs, own)).toBe(`its sector has the stamp of ${origin}`);
  });

  test.each<[string, Uint8Array, Partial<typeof USUAL>]>([
    ['zeros', new Uint8Array(BLOCK_BYTES), {}],
    ['random bytes', noise, {}],
    ['a stamp of a later run', makeStamped({ run: 3 }).blockAt(0), { run: 2 }],
    ['a changed byte after the right stamp', flipped, {}],
  ])('names no origin for %s', (_, theirs, own) => {
    expect(messageFor(theirs, own)).toBe(UNKNOWN_ORIGIN);
  });

  test('the error names the stamp of the wrong sector, whatever data precedes it', () => {
    const data = makeStamped();
    const block = data.blockAt(0).slice();
    block.set(data.blockAt(9 * BLOCK_BYTES).subarray(0, SECTOR_BYTES), 2 * SECTOR_BYTES);
    const fault = catchFault(() => data.checkBlock(block, 0, 0));
    expect(fault?.message).toBe('its sector has the stamp of offset 36864 of data file 0 in run 1');
    expect(fault?.positionBytes).toBeGreaterThanOrEqual(2 * SECTOR_BYTES);
    expect(fault?.positionBytes).toBeLessThan(2 * SECTOR_BYTES + STAMP_BYTES);
  });
});

describe('no two sectors are alike', () => {
  const SLICE_BYTES = 5 * PERIOD_BYTES;

  test('even if all bytes except their stamps are zeros', () => {
    const sectors = listSectors(makeStamped({ compressiblePercent: 100 }), SLICE_BYTES);
    expect(new Set(sectors).size).toBe(SLICE_BYTES / SECTOR_BYTES);
    expect(new Set(sectors.map((sector) => sector.slice(STAMP_BYTES)))).toEqual(
      new Set(['\0'.repeat(SECTOR_BYTES - STAMP_BYTES)]),
    );
  });

  test('within the length of the pool, even after their stamps', () => {
    const all = listSectors(makeStamped(), PERIOD_BYTES);
    const unstamped = new Set(all.map((sector) => sector.slice(STAMP_BYTES)));
    expect(unstamped.size).toBe(PERIOD_BYTES / SECTOR_BYTES);
  });
});

describe('data is compared', () => {
  const wrong = new Uint8Array(BLOCK_BYTES);

  test('only in every 127th block without --verify, and in no random operation', () => {
    const data = makeStamped({ verify: false });
    const compared = positions(0, 1, 3 * COMPARE_EVERY).filter((operation) =>
      catchFault(() => data.checkBlock(wrong, 0, operation)),
    );
    expect(compared).toEqual([0, COMPARE_EVERY, 2 * COMPARE_EVERY]);
    expect(catchFault(() => data.checkRandomBlock(wrong.slice(0, IO_BYTES), 0))).toBeNull();
  });

  test('in every operation with --verify', () => {
    const data = makeStamped();
    const compared = positions(0, 1, COMPARE_EVERY).filter((operation) =>
      catchFault(() => data.checkBlock(wrong, 0, operation)),
    );
    expect(compared).toHaveLength(COMPARE_EVERY);
    expect(catchFault(() => data.checkRandomBlock(wrong.slice(0, IO_BYTES), 0))).not.toBeNull();
  });
});

test.each([
  ['the default sizes', 64 * KIB, SECTOR_BYTES],
  ['random operations larger than a block', BLOCK_BYTES, 5 * BLOCK_BYTES + SECTOR_BYTES],
  ['blocks that do not divide a MiB', 12 * KIB, 4 * KIB],
  ['blocks larger than a MiB', 3 * MIB, 4 * KIB],
  ['random operations larger than a MiB and a block', 64 * KIB, MIB + 100 * SECTOR_BYTES],
])('the planned memory fits %s, and no byte outside of the pool changes', (_, block, io) => {
  const transfer = { blockSizeBytes: block, ioSizeBytes: io, fileBlockBytes: block, slots: 1 };
  const ioMemory = layOutMemory(transfer, true, 3);
  const memory = new SharedArrayBuffer(ioMemory.totalBytes);
  const region = workerRegion(ioMemory, 1);
  const pool = fillPool(42, 0, memory, region);
  const slice = { fileIndex: 1, file: '', offsetBytes: 0, lengthBytes: GIB };
  const changes = new Int32Array(1);
  const data = within(
    slice,
    (bytes, isRandom) => new StampedData(1, pool, true, bytes, isRandom, changes),
    transfer,
  );
  const { periodBytes } = region;
  expect(periodBytes).toBe(region.poolBytes - Math.max(block, io));
  const mostSectors = Math.max(block, io) / SECTOR_BYTES;
  const aroundTheEnd = positions(0, SECTOR_BYTES * Math.ceil(mostSectors / 20), 25).map(
    (at) => periodBytes - mostSectors * SECTOR_BYTES + at,
  );
  for (const position of [0, ...aroundTheEnd, 7 * periodBytes - SECTOR_BYTES]) {
    const randomBlock = data.randomBlockAt(position).slice();
    expect(randomBlock.length).toBe(io);
    expect(catchFault(() => data.checkRandomBlock(randomBlock, position))).toBeNull();
  }
  for (const position of positions(0, block, (2 * periodBytes) / block)) {
    const bytes = data.blockAt(position).slice();
    expect(bytes.length).toBe(block);
    expect(catchFault(() => data.checkBlock(bytes, position, 0))).toBeNull();
  }
  const all = Buffer.from(memory);
  const poolEnd = region.poolOffsetBytes + region.poolBytes;
  expect(all.subarray(0, region.poolOffsetBytes).every((byte) => byte === 0)).toBe(true);
  expect(all.subarray(poolEnd).every((byte) => byte === 0)).toBe(true);
});
