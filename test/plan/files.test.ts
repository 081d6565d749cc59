import { describe, expect, test } from 'vitest';
import type { OptionsInput } from '../../src/options/options-schema.js';
import { validateOptions } from '../../src/options/validate-options.js';
import { plan } from '../../src/plan/plan.js';
import { GIB, KIB, MIB } from '../../src/text/units.js';
import { generateFiles } from '../../workers/files/file-tree.js';
import { gobonnieErrorWith, type MachineFacts, machineWith, planWith } from '../support/data/fixtures.js';

const BLOCK_BYTES = 65_536;

/** Converts blocks to a --size in GiB. */
function blocksToGib(blocks: number): number {
  return (blocks * BLOCK_BYTES) / 1024 ** 3;
}

/** Returns the files of each worker in a phase after the write. */
function filesOfWorkers(phase: string, options: object): readonly (readonly string[])[] {
  const { steps } = planWith({ size: blocksToGib(12), phases: `write,${phase}`, ...options });
  return steps[1]?.assignments.map(({ slices }) => slices.map(({ file }) => file)) ?? [];
}

describe('data files', () => {
  test('cannot be combined with --one-file', () => {
    expect(() => planWith({ size: 1, dataFiles: 3, oneFile: true })).toThrow(
      gobonnieErrorWith('option-invalid', '--one-file and --data-files 3 cannot be combined; leave one out'),
    );
    expect(planWith({ size: 1, threads: 2, dataFiles: 1, oneFile: true }).slices).toHaveLength(2);
  });

  test('need at least one block each', () => {
    expect(planWith({ size: blocksToGib(6), threads: 2, dataFiles: 3 }).slices).toHaveLength(6);
    expect(() => planWith({ size: 0.0003, threads: 2, dataFiles: 3 })).toThrow(
      gobonnieErrorWith(
        'size-too-small',
        '--size 0.0003 is less than one block of 64 KiB for each of 2 threads and 3 data files; ' +
          'pass at least --size 1M, or fewer --threads',
      ),
    );
  });
});

describe('the workers of a phase', () => {
  test.each(['write', 'rewrite', 'read', 'seeks', 'iops', 'putc', 'getc'])(
    'of %s are all threads, each with its own files',
    (phase) => {
      const options = { phases: phase === 'write' ? 'write' : `write,${phase}`, threads: 2, dataFiles: 3 };
      const { steps } = planWith({ size: blocksToGib(12), ...options });
      expect(steps.at(-1)?.assignments.map(({ slices }) => slices.map(({ file }) => file))).toEqual([
        ['bonnie.0', 'bonnie.1', 'bonnie.2'],
        ['bonnie.3', 'bonnie.4', 'bonnie.5'],
      ]);
    },
  );

  test.each([1, 2, 5])('of seeks are %i seek threads, each with all of the data', (seekThreads) => {
    const all = ['bonnie.0', 'bonnie.1', 'bonnie.2', 'bonnie.3'];
    expect(filesOfWorkers('seeks', { threads: 2, dataFiles: 2, seekThreads })).toEqual(
      Array.from({ length: seekThreads }, () => all),
    );
  });
});

test.each([
  [{ threads: 2 }, 2],
  [{ threads: 2, seekThreads: 5 }, 5],
  [{ threads: 5, seekThreads: 2, phases: 'create' }, 5],
  // Seek threads count only if there is a seeks phase.
  [{ threads: 2, seekThreads: 5, phases: 'write,read' }, 2],
])('the number of workers with %j is %i', (options, workers) => {
  const plan = planWith({ size: blocksToGib(12), phases: 'write,seeks', ...options });
  expect(plan.workerGroups).toEqual([workers]);
  expect(plan.threads).toBe(options.threads);
});

test.each([
  [undefined, 12],
  ['768k', 12],
  ['128k', 2],
  ['129k', 4],
])(
  'putc and getc move with --byte-size %s, two threads and 12 blocks of data: %i blocks',
  (byteSize, blocks) => {
    const plan = planWith({ size: blocksToGib(12), threads: 2, phases: 'putc', byteSize });
    expect(plan.byteWiseTotalBytes).toBe(blocks * BLOCK_BYTES);
    expect(plan.transfer.byteWiseBytes).toBe((blocks / 2) * BLOCK_BYTES);
  },
);

const FILES = { phases: 'create,stat,delete', threads: 2 };

/** A disk with exactly this many usable bytes. */
function diskWith(bytes: number): MachineFacts {
  return { target: { availableBytes: bytes + GIB, totalBytes: 1000 * GIB } };
}

test('the trees are one per thread, with the kind, sizes and directories of the options', () => {
  const options = {
    files: 7,
    fileKind: 'symlinks',
    fileSize: 900,
    fileMinSize: 10,
    directories: 3,
  } as const;
  const tree = { directories: 3, kind: 'symlinks', minBytes: 10, maxBytes: 900 };
  expect(planWith({ ...FILES, ...options }).trees).toEqual([
    { index: 0, root: 'tree.0', first: 0, count: 4, ...tree },
    { index: 1, root: 'tree.1', first: 0, count: 3, ...tree },
  ]);
});

describe('small files', () => {
  test('that do not fit are rejected with the needed and the free space', () => {
    expect(() => planWith({ ...FILES, files: 1_000_000, fileSize: '64k' }, diskWith(10 * GIB))).toThrow(
      gobonnieErrorWith(
        'size-too-large',
        '--files 1000000 of up to 64 KiB need 64.8 GiB in /mnt/disk, which has 11 GiB free, of which 1 GiB must stay free; ' +
          'pass fewer --files, a smaller --file-size or another --dir',
      ),
    );
  });

  test.each([
    ['empty files', 0, 4 * KIB],
    ['files that nearly fill a block', 4095, 4 * KIB],
    ['files that fill a block, with their directory entry', 4096, 8 * KIB],
    ['large files', MIB, MIB + 4 * KIB],
  ])('may take all the usable space, but not a byte more: %s', (_, fileSize, eachBytes) => {
    const options = { ...FILES, files: 100, fileSize };
    expect(planWith(options, diskWith(100 * eachBytes)).trees).toHaveLength(2);
    expect(() => planWith(options, diskWith(100 * eachBytes - 1))).toThrow(
      expect.objectContaining({ code: 'size-too-large' }),
    );
  });

  test.each([
    ['create,delete,create-random,delete-random', 1],
    ['create,create-random', 2],
    ['create,create-random,delete,stat-random', 2],
  ])('need space for each tree that exists at the same time: %s', (phases, times) => {
    const options = { ...FILES, files: 100, phases };
    expect(planWith(options, diskWith(times * 100 * 4 * KIB)).trees).toHaveLength(2);
    expect(() => planWith(options, diskWith(times * 100 * 4 * KIB - 1))).toThrow(
      expect.objectContaining({ code: 'size-too-large' }),
    );
  });
});

describe('inodes:', () => {
  const FILE_COUNT = 1000;
  const TREES = { phases: 'create,delete,create-random,delete-random', files: FILE_COUNT, threads: 2 };

  function planWithInodes(options: object, available: number, total = 1000 * FILE_COUNT) {
    return planWith(options, { target: { inodes: { total, available } } });
  }

  test.each([
    ['the scratch directory, its marker and a file for each thread', { threads: 4 }, 6],
    ['one shared file', { threads: 4, oneFile: true }, 3],
    ['one tree at a time', TREES, 2 + 2 + FILE_COUNT],
    ['two trees at once', { ...TREES, phases: 'create,create-random' }, 2 + 2 * (2 + FILE_COUNT)],
    ['directories', { ...TREES, directories: 3 }, 2 + 2 * 4 + FILE_COUNT],
    ['hard links, which share an inode', { ...TREES, fileKind: 'hard-links' }, 2 + 2 * 2],
    ['symlinks', { ...TREES, fileKind: 'symlinks' }, 2 + 2 * 2 + FILE_COUNT],
  ])('are needed for %s', (_, options, needed) => {
    expect(() => planWithInodes(options, 0)).toThrow(`this run needs ${needed} inodes in`);
  });

  test.each([
    [TREES, 'pass fewer --files or --threads, remove'],
    [{ threads: 4 }, 'pass fewer --files or --threads, remove'],
    [{ phases: 'install' }, 'pass fewer --packages, remove'],
  ])('that %j lacks are an error with options of the phases', (options, hint) => {
    expect(() => planWithInodes(options, 0)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining(hint) }),
    );
  });

  test('10000 or 5 % of all inodes must stay free', () => {
    expect(() => planWithInodes(TREES, 1004 + 10_000)).not.toThrow();
    expect(() => planWithInodes(TREES, 1004 + 9999)).toThrow(
      'this run needs 1004 inodes in /mnt/disk, but only 11003 are free, of which 10000 must stay free',
    );
    expect(() => planWithInodes(TREES, 1004 + 100, 2000)).not.toThrow();
  });
});

test('the files that a step opens need space in each run, even if they are large', () => {
  const options = { steps: 'open,io-size=1m', runs: 2 };
  expect(planWith(options).neededBytes).toBeGreaterThanOrEqual(2 * 1000 * 1024 ** 2);
  expect(() => planWith(options, { target: { availableBytes: 2 * GIB } })).toThrow(
    expect.objectContaining({ message: expect.stringMatching(/^the files for 2 runs need 2 GiB in /) }),
  );
});

test('data and the files of a step together have to fit, and the suggested size does', () => {
  const planSize = (size: string) =>
    planWith({ steps: 'random,io-size=4k commit-etcd', size }, diskWith(200 * MIB));
  expect(() => planSize('0.2')).toThrow(
    gobonnieErrorWith(
      'size-too-large',
      '--size 0.2 (204.8 MiB) beside other files of 64 MiB does not fit in /mnt/disk, which has 1.2 GiB free, of which 1 GiB must stay free; ' +
        'pass at most --size 136M or another --dir',
    ),
  );
  expect(planSize('136M').neededBytes).toBe(200 * MIB);
});

test.each([
  [{}, /^--packages 230 for 1 run need .*; free some space, or pass another --dir$/],
  [
    { phases: 'commit-wal', runs: 1 },
    /^the files for 1 run need .*; free some space, or pass another --dir$/,
  ],
  [
    { untilStable: 5, maxRuns: 4 },
    /^--packages 230 for 4 runs need .*; pass fewer --max-runs or another --dir$/,
  ],
  [{ runs: 9 }, /^--packages 230 for 9 runs need .*; pass fewer --runs or another --dir$/],
])('tool files with %j that do not fit are rejected with what can help', (options, line) => {
  const all = { phases: 'install,commit-wal,commit-etcd', ...options };
  expect(() => planWith(all, diskWith(MIB))).toThrow(
    expect.objectContaining({ line: expect.stringMatching(line) }),
  );
});

test('fewer packages are advised if their files would fit', () => {
  expect(() => planWith({ phases: 'install' }, diskWith(20 * MIB))).toThrow(
    expect.objectContaining({ line: expect.stringMatching(/; pass fewer --packages or another --dir$/) }),
  );
});

describe('in a job', () => {
  const plansOfRanks = (input: OptionsInput, ranks: number) =>
    Array.from({ length: ranks }, (_, rank) =>
      plan(validateOptions({ seed: 1, ...input }), machineWith(), { rank, ranks }),
    );

  test('the slices of all ranks cover a shared file without a gap or an overlap', () => {
    const slices = plansOfRanks({ size: blocksToGib(13), threads: 3, sharedFile: true }, 4).flatMap(
      (one) => one.slices,
    );
    expect(new Set(slices.map(({ file }) => file)).size).toBe(1);
    const ends = slices.map(({ offsetBytes, lengthBytes }) => offsetBytes + lengthBytes);
    expect(slices.map(({ offsetBytes }) => offsetBytes)).toEqual([0, ...ends.slice(0, -1)]);
    expect(ends.at(-1)).toBe(4 * 13 * BLOCK_BYTES);
  });

  test('no two files of all ranks have the same index, so no two blocks have the same stamp', () => {
    const slices = plansOfRanks({ size: blocksToGib(13), threads: 3 }, 4).flatMap((one) => one.slices);
    expect(new Set(slices.map(({ fileIndex }) => fileIndex)).size).toBe(12);
    const shared = plansOfRanks({ size: '8M', steps: 'read,threads=2' }, 4).flatMap((one) => one.slices);
    expect(shared.map(({ fileIndex }) => fileIndex)).toEqual([0, 1, 2, 3]);
  });

  test.each(['tree', 'random-tree'] as const)(
    'no two %s files in a shared directory have the same name',
    (order) => {
      const trees = plansOfRanks({ ...FILES, files: 31, sharedDir: true }, 3).flatMap((one) => one.trees);
      const files = trees.flatMap((tree) => generateFiles(tree, order, [1, 1, tree.index]));
      expect(new Set(trees.map(({ root }) => root)).size).toBe(1);
      expect(new Set(files.map((file) => file.path)).size).toBe(3 * 31);
    },
  );

  test('the ranks share the free space, but the space to keep free counts once', () => {
    const planFor = (ranksSharing: number) =>
      planWith({ size: 1, threads: 1 }, { target: { availableBytes: 4.5 * GIB, ranksSharing } });
    expect(planFor(3).totalBytes).toBe(GIB);
    expect(() => planFor(4)).toThrow('has 4.5 GiB free for 4 ranks, of which 1 GiB must stay free');
    expect(() => planFor(5)).toThrow(/has 4.5 GiB free for 5 ranks, of which 1 GiB must stay free$/);
  });

  test('only rank 0 creates and can remove shared files', () => {
    const plans = plansOfRanks(
      { ...FILES, sharedDir: true, sharedFile: true, phases: 'write,create', size: 1 },
      3,
    );
    expect(plans.map(({ scratchLayout: { files, trees } }) => [files, trees.length])).toEqual([
      [1, 6],
      [0, 0],
      [0, 0],
    ]);
  });
});
