import { describe, expect, test } from 'vitest';
import { judge, type OptionsInput } from '../../src/options/judge.js';
import { treesOf } from '../../src/plan/trees.js';
import { GIB, KIB, MIB } from '../../src/text/units.js';
import { type MachineFacts, planWith, refusal } from '../support/fixtures.js';

const FILES = { phases: 'create,stat,delete', threads: 2 };

/** A disk on which exactly so many bytes may be used. */
function room(bytes: number): MachineFacts {
  return { target: { availableBytes: bytes + GIB, totalBytes: 1000 * GIB } };
}

function countsOf(files: number, threads: number): readonly number[] {
  return treesOf(judge({ files }), threads).map(({ count }) => count);
}

describe('the trees', () => {
  test.each([
    [10, 1, [10]],
    [10, 3, [4, 3, 3]],
    [16_384, 4, [4096, 4096, 4096, 4096]],
    [2, 4, [1, 1, 0, 0]],
  ])('%i files are shared by %i threads: %j', (files, threads, counts) => {
    expect(countsOf(files, threads)).toEqual(counts);
  });

  test('are one for each thread, named within the scratch directory, as they were asked for', () => {
    const options: OptionsInput = {
      ...{ files: 7, fileKind: 'symlinks', fileSize: 900, fileMinSize: 10, directories: 3 },
    };
    const tree = { directories: 3, kind: 'symlinks', minBytes: 10, maxBytes: 900 };
    expect(planWith({ ...FILES, ...options }).trees).toEqual([
      { root: 'tree.0', count: 4, ...tree },
      { root: 'tree.1', count: 3, ...tree },
    ]);
  });

  test('are none where no phase works on files', () => {
    expect(planWith({ size: 1, files: 100 }).trees).toEqual([]);
  });

  test.each(['create', 'create-random', 'write,create-random,delete-random'])(
    'are there for %s',
    (phases) => {
      expect(planWith({ size: 1, threads: 2, phases }).trees).toHaveLength(2);
    },
  );
});

describe('files that do not fit', () => {
  test('are refused, with what they need and what there is', () => {
    expect(() => planWith({ ...FILES, files: 1_000_000, fileSize: '64k' }, room(10 * GIB))).toThrow(
      refusal(
        'size-too-large',
        '--files 1000000 of up to 64 KiB need 64.8 GiB with the data in /mnt/disk, which has 11 GiB free; ' +
          'pass fewer --files, a smaller --file-size or another --dir',
      ),
    );
  });

  test.each([
    ['empty ones', 0, 4 * KIB],
    ['ones of a byte', 1, 4 * KIB],
    ['ones that nearly fill a block', 4095, 4 * KIB],
    ['ones that fill a block, with their entry', 4096, 8 * KIB],
    ['large ones', MIB, MIB + 4 * KIB],
  ])('may take all the room there is, and no more: %s', (_, fileSize, eachBytes) => {
    const options = { ...FILES, files: 100, fileSize };
    expect(planWith(options, room(100 * eachBytes)).trees).toHaveLength(2);
    expect(() => planWith(options, room(100 * eachBytes - 1))).toThrow(
      expect.objectContaining({ code: 'size-too-large' }),
    );
  });

  test('are counted beside the data', () => {
    const options = { ...FILES, phases: 'write,create', size: 1, files: 1024 };
    expect(planWith(options, room(GIB + 4 * MIB)).totalBytes).toBe(GIB);
    expect(() => planWith(options, room(GIB + 4 * MIB - 1))).toThrow(
      expect.objectContaining({ code: 'size-too-large' }),
    );
  });

  test.each([
    ['create,delete,create-random,delete-random', 1],
    ['create,create-random', 2],
    ['create,create-random,delete,stat-random', 2],
  ])('are counted as often as they are there at the same time: %s', (phases, times) => {
    const options = { ...FILES, files: 100, phases };
    expect(planWith(options, room(times * 100 * 4 * KIB)).trees).toHaveLength(2);
    expect(() => planWith(options, room(times * 100 * 4 * KIB - 1))).toThrow(
      expect.objectContaining({ code: 'size-too-large' }),
    );
  });

  test('do not matter where no phase makes them', () => {
    expect(planWith({ size: 1, files: 2 ** 24, fileSize: '1g' }, room(2 * GIB)).totalBytes).toBe(GIB);
  });
});
