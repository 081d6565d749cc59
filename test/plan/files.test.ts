import { describe, expect, test } from 'vitest';
import type { OptionsInput } from '../../src/options/options-schema.js';
import { validateOptions } from '../../src/options/validate-options.js';
import { assignWork, layOutTrees } from '../../src/plan/files.js';
import { plan } from '../../src/plan/plan.js';
import { GIB, KIB, MIB } from '../../src/text/units.js';
import { generateFiles } from '../../workers/files/file-tree.js';
import { getPhase } from '../../workers/phases/phase-catalogue.js';
import { gobonnieErrorWith, type MachineFacts, machineWith, planWith } from '../support/data/fixtures.js';

const BLOCK_BYTES = 65_536;

/** The size of this many blocks, in GiB. */
function sizeOf(blocks: number): number {
  return (blocks * BLOCK_BYTES) / 1024 ** 3;
}

/** The files of each worker in the phase after the write. */
function filesOfWorkers(phase: string, options: object): readonly (readonly string[])[] {
  const { assignments } = planWith({ size: sizeOf(12), phases: `write,${phase}`, ...options });
  return assignments[1]?.map(({ slices }) => slices.map(({ file }) => file)) ?? [];
}

describe('data files', () => {
  test('are consecutive files of each thread', () => {
    const { slices } = planWith({ size: sizeOf(12), threads: 2, dataFiles: 3 });
    expect(slices).toEqual(
      [0, 1, 2, 3, 4, 5].map((index) => ({
        index,
        file: `bonnie.${index}`,
        offsetBytes: 0,
        lengthBytes: 2 * BLOCK_BYTES,
      })),
    );
  });

  test('add up to the total in whole blocks, and differ by at most a block', () => {
    const { slices, totalBytes } = planWith({ size: sizeOf(100), threads: 3, dataFiles: 7 });
    const lengths = slices.map(({ lengthBytes }) => lengthBytes / BLOCK_BYTES);
    expect(lengths).toHaveLength(21);
    expect(totalBytes).toBe(100 * BLOCK_BYTES);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(100);
    expect(new Set(lengths)).toEqual(new Set([4, 5]));
  });

  test('and --one-file exclude each other', () => {
    expect(() => planWith({ size: 1, dataFiles: 3, oneFile: true })).toThrow(
      gobonnieErrorWith('option-invalid', '--one-file and --data-files 3 exclude each other; leave one out'),
    );
    expect(planWith({ size: 1, threads: 2, dataFiles: 1, oneFile: true }).slices).toHaveLength(2);
  });

  test('need one block each', () => {
    expect(planWith({ size: sizeOf(6), threads: 2, dataFiles: 3 }).slices).toHaveLength(6);
    expect(() => planWith({ size: 0.0003, threads: 2, dataFiles: 3 })).toThrow(
      gobonnieErrorWith(
        'size-too-small',
        '--size 0.0003 is less than one block of 64 KiB for each of 2 threads and 3 data files; ' +
          'pass for example --size 0.01, or fewer --threads',
      ),
    );
  });

  test('are accepted with the size that the refusal suggests', () => {
    expect(planWith({ size: 0.01, threads: 2, dataFiles: 3 }).slices).toHaveLength(6);
  });
});

describe('the workers of a phase', () => {
  test.each(['write', 'rewrite', 'read', 'seeks', 'iops', 'putc', 'getc'])(
    'of %s are all threads, each with its own volumes',
    (phase) => {
      const options = { phases: phase === 'write' ? 'write' : `write,${phase}`, threads: 2, dataFiles: 3 };
      const { assignments } = planWith({ size: sizeOf(12), ...options });
      expect(assignments.at(-1)?.map(({ slices }) => slices.map(({ file }) => file))).toEqual([
        ['bonnie.0', 'bonnie.1', 'bonnie.2'],
        ['bonnie.3', 'bonnie.4', 'bonnie.5'],
      ]);
    },
  );

  test.each([1, 2, 5])('of seeks are %i seekers, each with all of the data', (seekThreads) => {
    const all = ['bonnie.0', 'bonnie.1', 'bonnie.2', 'bonnie.3'];
    expect(filesOfWorkers('seeks', { threads: 2, dataFiles: 2, seekThreads })).toEqual(
      Array.from({ length: seekThreads }, () => all),
    );
  });

  test('of the other phases are the threads, regardless of --seek-threads', () => {
    expect(filesOfWorkers('read', { threads: 2, seekThreads: 5 })).toEqual([['bonnie.0'], ['bonnie.1']]);
  });

  test('of phases on small files are all threads, without data', () => {
    const { slices } = planWith({ size: sizeOf(12), threads: 3 });
    const none = { slices: [], tree: null };
    for (const name of ['create', 'stat', 'delete', 'create-random', 'stat-random', 'delete-random'])
      expect(assignWork(getPhase(name), { slices, trees: [] }, 3, { seekThreads: 7, dataFiles: 1 })).toEqual([
        none,
        none,
        none,
      ]);
  });
});

describe('the workers', () => {
  test.each([
    [{ threads: 2 }, 2],
    [{ threads: 2, seekThreads: 5 }, 5],
    [{ threads: 5, seekThreads: 2 }, 5],
    [{ threads: 5, seekThreads: 2, phases: 'create' }, 5],
    // Seekers do not count without seeks.
    [{ threads: 2, seekThreads: 5, phases: 'write,read' }, 2],
  ])('of %j are %i', (options, workers) => {
    const plan = planWith({ size: sizeOf(12), phases: 'write,seeks', ...options });
    expect(plan.workers).toBe(workers);
    expect(plan.threads).toBe(options.threads);
  });

  test('have a region of I/O memory each', () => {
    const totalOf = (seekThreads: number) =>
      planWith({ size: sizeOf(12), threads: 2, phases: 'write,seeks', seekThreads }).ioMemoryLayout
        .totalBytes;
    expect(totalOf(7) - totalOf(2)).toBe(5 * BLOCK_BYTES);
  });
});

test('without a phase that uses data no data is planned, whatever --size says', () => {
  const plan = planWith({ size: 100_000, threads: 2, phases: 'create,delete' });
  expect(plan).toMatchObject({ totalBytes: 0, byteWiseTotalBytes: 0, slices: [], warnings: [] });
});

describe('the bytes of putc and getc', () => {
  test.each([
    [undefined, 12],
    ['1g', 12],
    ['768k', 12],
    ['1', 2],
    ['128k', 2],
    ['129k', 4],
  ])('with --byte-size %s of 12 blocks in two threads are %i blocks', (byteSize, blocks) => {
    const plan = planWith({ size: sizeOf(12), threads: 2, phases: 'putc', byteSize });
    expect(plan.byteWiseTotalBytes).toBe(blocks * BLOCK_BYTES);
    expect(plan.transfer.byteWiseBytes).toBe((blocks / 2) * BLOCK_BYTES);
  });
});

const FILES = { phases: 'create,stat,delete', threads: 2 };

/** A disk on which exactly this many bytes may be used. */
function room(bytes: number): MachineFacts {
  return { target: { availableBytes: bytes + GIB, totalBytes: 1000 * GIB } };
}

function countsOf(files: number, threads: number): readonly number[] {
  return layOutTrees(validateOptions({ files }), threads, 1).map(({ count }) => count);
}

describe('the trees', () => {
  test.each([
    [10, 1, [10]],
    [10, 3, [4, 3, 3]],
    [16_384, 4, [4096, 4096, 4096, 4096]],
    [2, 4, [1, 1, 0, 0]],
  ])('of %i files on %i threads hold %j', (files, threads, counts) => {
    expect(countsOf(files, threads)).toEqual(counts);
  });

  test('are one for each thread, as the options say', () => {
    const options: OptionsInput = {
      ...{ files: 7, fileKind: 'symlinks', fileSize: 900, fileMinSize: 10, directories: 3 },
    };
    const tree = { directories: 3, kind: 'symlinks', minBytes: 10, maxBytes: 900 };
    expect(planWith({ ...FILES, ...options }).trees).toEqual([
      { index: 0, root: 'tree.0', first: 0, count: 4, ...tree },
      { index: 1, root: 'tree.1', first: 0, count: 3, ...tree },
    ]);
  });

  test('do not exist when no phase works on small files', () => {
    expect(planWith({ size: 1, files: 100 }).trees).toEqual([]);
  });

  test.each(['create', 'create-random', 'write,create-random,delete-random'])('exist for %s', (phases) => {
    expect(planWith({ size: 1, threads: 2, phases }).trees).toHaveLength(2);
  });
});

describe('small files', () => {
  test('that do not fit are refused, with what they need and what is free', () => {
    expect(() => planWith({ ...FILES, files: 1_000_000, fileSize: '64k' }, room(10 * GIB))).toThrow(
      gobonnieErrorWith(
        'size-too-large',
        '--files 1000000 of up to 64 KiB need 64.8 GiB with the data in /mnt/disk, which has 11 GiB free; ' +
          'pass fewer --files, a smaller --file-size or another --dir',
      ),
    );
  });

  test.each([
    ['empty ones', 0, 4 * KIB],
    ['files of a byte', 1, 4 * KIB],
    ['files that nearly fill a block', 4095, 4 * KIB],
    ['files that fill a block, with their directory entry', 4096, 8 * KIB],
    ['large ones', MIB, MIB + 4 * KIB],
  ])('may take all the usable space and no more: %s', (_, fileSize, eachBytes) => {
    const options = { ...FILES, files: 100, fileSize };
    expect(planWith(options, room(100 * eachBytes)).trees).toHaveLength(2);
    expect(() => planWith(options, room(100 * eachBytes - 1))).toThrow(
      expect.objectContaining({ code: 'size-too-large' }),
    );
  });

  test('are counted in addition to the data', () => {
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
  ])('are counted as often as they exist at the same time: %s', (phases, times) => {
    const options = { ...FILES, files: 100, phases };
    expect(planWith(options, room(times * 100 * 4 * KIB)).trees).toHaveLength(2);
    expect(() => planWith(options, room(times * 100 * 4 * KIB - 1))).toThrow(
      expect.objectContaining({ code: 'size-too-large' }),
    );
  });

  test('need no space when no phase creates them', () => {
    expect(planWith({ size: 1, files: 2 ** 24, fileSize: '1g' }, room(2 * GIB)).totalBytes).toBe(GIB);
  });
});

describe('inodes:', () => {
  const FILE_COUNT = 1000;
  const TREES = { phases: 'create,delete,create-random,delete-random', files: FILE_COUNT, threads: 2 };

  function planWithInodes(options: object, available: number, total = 1000 * FILE_COUNT) {
    return planWith(options, { target: { inodes: { total, available } } });
  }

  /** How many inodes a plan needs: the smallest number that is not refused. */
  function neededBy(options: object): number {
    const message = messageOf(() => planWithInodes(options, 0));
    return Number(/this makes (\d+) files in/.exec(message)?.[1]);
  }

  function messageOf(act: () => unknown): string {
    try {
      act();
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  }

  test('the scratch directory, its marker and a file for each thread need an inode each', () => {
    expect(neededBy({ threads: 4 })).toBe(6);
    expect(neededBy({ threads: 4, oneFile: true })).toBe(3);
  });

  test('small files are counted as often as they exist at the same time', () => {
    expect(neededBy(TREES)).toBe(2 + 2 + FILE_COUNT);
    expect(neededBy({ ...TREES, phases: 'create,create-random,delete,delete-random' })).toBe(
      2 + 2 * (2 + FILE_COUNT),
    );
    expect(neededBy({ ...TREES, directories: 3 })).toBe(2 + 2 * 4 + FILE_COUNT);
  });

  test('hard links share one inode, symlinks need one each', () => {
    expect(neededBy({ ...TREES, fileKind: 'hard-links' })).toBe(2 + 2 * 2);
    expect(neededBy({ ...TREES, fileKind: 'symlinks' })).toBe(2 + 2 * 2 + FILE_COUNT);
  });

  test('10000 or 5 % of them stay free', () => {
    const needed = neededBy(TREES);
    expect(messageOf(() => planWithInodes(TREES, needed + 10_000))).toBe('');
    expect(messageOf(() => planWithInodes(TREES, needed + 9999))).toContain(
      'which has 11003 inodes free, of which 10000 must stay free',
    );
    expect(messageOf(() => planWithInodes(TREES, needed + 100, 2000))).toBe('');
  });

  test('a filesystem that creates inodes as needed is never refused', () => {
    expect(messageOf(() => planWith(TREES, { target: { inodes: null } }))).toBe('');
  });
});

describe('of all ranks', () => {
  const placed = (input: OptionsInput, ranks: number) =>
    Array.from({ length: ranks }, (_, rank) =>
      plan(validateOptions({ seed: 1, ...input }), machineWith(), { rank, ranks }),
    );

  test('the slices in a shared file cover it without a gap, and none overlaps another', () => {
    const slices = placed({ size: sizeOf(13), threads: 3, sharedFile: true }, 4).flatMap((one) => one.slices);
    expect(new Set(slices.map(({ file }) => file)).size).toBe(1);
    const ends = slices.map(({ offsetBytes, lengthBytes }) => offsetBytes + lengthBytes);
    expect(slices.map(({ offsetBytes }) => offsetBytes)).toEqual([0, ...ends.slice(0, -1)]);
    expect(ends.at(-1)).toBe(4 * 13 * BLOCK_BYTES);
  });

  test('no two slices have the same number, so that no two blocks have the same stamp', () => {
    const slices = placed({ size: sizeOf(13), threads: 3 }, 4).flatMap((one) => one.slices);
    expect(new Set(slices.map(({ index }) => index)).size).toBe(12);
  });

  test.each(['numeric', 'random'] as const)(
    'no two %s files in a shared directory have one name',
    (order) => {
      const trees = placed({ ...FILES, files: 31, sharedDir: true }, 3).flatMap((one) => one.trees);
      const files = trees.flatMap((tree) => [...generateFiles(tree, order, [1, 1, tree.index])]);
      expect(new Set(trees.map(({ root }) => root)).size).toBe(1);
      expect(new Set(files.map((file) => file.path)).size).toBe(3 * 31);
    },
  );

  test('the free space is divided, and what is kept free counts once', () => {
    const planFor = (ranksSharing: number) =>
      planWith({ size: 1, threads: 1 }, { target: { availableBytes: 4.5 * GIB, ranksSharing } });
    expect(planFor(3).totalBytes).toBe(GIB);
    expect(() => planFor(4)).toThrow('has 4.5 GiB free for 4 ranks, of which 1 GiB must stay free');
    expect(() => planFor(5)).toThrow(/has 4.5 GiB free for 5 ranks$/);
  });

  test('what is shared is made, and can be removed, by rank 0 alone', () => {
    const stored = placed(
      { ...FILES, sharedDir: true, sharedFile: true, phases: 'write,create', size: 1 },
      3,
    );
    expect(stored.map(({ scratchLayout: { files, trees } }) => [files, trees.length])).toEqual([
      [1, 6],
      [0, 0],
      [0, 0],
    ]);
  });

  test('more small files in one directory than a marker lists are refused', () => {
    expect(() => placed({ ...FILES, files: 2 ** 23, sharedDir: true }, 3)).toThrow('--shared-dir');
  });
});
