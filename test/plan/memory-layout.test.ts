import { describe, expect, test } from 'vitest';
import {
  IO_PAGE_BYTES,
  type IoMemoryLayout,
  layOutMemory,
  workerRegion,
} from '../../src/plan/memory-layout.js';
import { GIB, KIB, MIB } from '../../src/text/units.js';
import { gobonnieErrorWith, planWith } from '../support/data/fixtures.js';

function transfer(blockSizeBytes: number, ioSizeBytes: number) {
  return { blockSizeBytes, ioSizeBytes, fileBlockBytes: blockSizeBytes, slots: 1 };
}

const shapes = [
  ['the default sizes', 64 * KIB, 512],
  ['random operations larger than a MiB', 64 * KIB, MIB + 512],
] as const;

/** Returns the parts of the memory, from the shared block to the last thread's pool. */
function memoryParts(memory: IoMemoryLayout, threads: number, transferBytes: number) {
  const regions = Array.from({ length: threads }, (_, index) => workerRegion(memory, index));
  return [
    { from: 0, to: transferBytes },
    ...regions.flatMap(({ offsetBytes, poolOffsetBytes, poolBytes }) => [
      { from: offsetBytes, to: offsetBytes + transferBytes },
      { from: poolOffsetBytes, to: poolOffsetBytes + poolBytes },
    ]),
  ];
}

describe.each(shapes)('with %s', (_, blockSizeBytes, ioSizeBytes) => {
  const transferBytes = Math.max(blockSizeBytes, ioSizeBytes);

  test.each([false, true])('the parts do not overlap and are within the memory, stamped: %s', (stamped) => {
    const memory = layOutMemory(transfer(blockSizeBytes, ioSizeBytes), stamped, 5);
    const parts = memoryParts(memory, 5, transferBytes);
    for (const [index, { from, to }] of parts.entries()) {
      expect(to).toBeLessThanOrEqual(parts[index + 1]?.from ?? memory.totalBytes);
      expect(from % IO_PAGE_BYTES).toBe(0);
    }
    expect(memory.totalBytes % IO_PAGE_BYTES).toBe(0);
  });

  test('a pool repeats after at least 1 MiB of whole blocks, and then holds one more transfer', () => {
    const { poolBytes } = layOutMemory(transfer(blockSizeBytes, ioSizeBytes), true, 1);
    const periodBytes = poolBytes - transferBytes;
    expect(periodBytes % blockSizeBytes).toBe(0);
    expect(periodBytes).toBeGreaterThanOrEqual(Math.max(MIB, transferBytes));
    expect(periodBytes).toBeLessThan(Math.max(MIB, transferBytes) + blockSizeBytes);
  });
});

test('unstamped data needs no pool, so a region is as large as a transfer', () => {
  const memory = layOutMemory(transfer(64 * KIB, 512), false, 4);
  expect(memory).toEqual({
    totalBytes: 5 * 64 * KIB,
    blockBytes: 64 * KIB,
    slotBytes: 64 * KIB,
    slotsBytes: 64 * KIB,
    regionBytes: 64 * KIB,
    poolBytes: 0,
    periodBytes: 0,
  });
  expect(workerRegion(memory, 3)).toMatchObject({ offsetBytes: 4 * 64 * KIB, poolBytes: 0 });
});

test.each([
  ['half of the memory', 256 * MIB, 2 * GIB, '2 GiB of memory (1 GiB'],
  ['4 GiB, the limit of WebAssembly', GIB, 1024 * GIB, '1024 GiB of memory (4 GiB'],
])('the memory for transfers is at most %s', (_, blockSize, memoryLimitBytes, words) => {
  const options = { size: 8, blockSize, phases: 'write' };
  expect(planWith({ ...options, threads: 3 }, { memoryLimitBytes }).workerGroups).toEqual([3]);
  const transfers = blockSize === GIB ? '1 GiB' : '256 MiB';
  expect(() => planWith({ ...options, threads: 4 }, { memoryLimitBytes })).toThrow(
    gobonnieErrorWith(
      'memory-too-small',
      `${words} for transfers) is too little for 4 threads with transfers of ${transfers}; pass at most --threads 3`,
    ),
  );
});

test('seek threads count as threads', () => {
  const options = { size: 1, threads: 2, seekThreads: 16, phases: 'write,seeks' };
  expect(() => planWith(options, { memoryLimitBytes: 128 * MIB })).toThrow(
    expect.objectContaining({ hint: 'pass at most --seek-threads 3' }),
  );
});
