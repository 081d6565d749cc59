import { constants } from 'node:os';
import { describe, expect, test } from 'vitest';
import type { OptionsInput } from '../../src/options/options-schema.js';
import { validateOptions } from '../../src/options/validate-options.js';
import { estimateSeconds, estimateWrittenBytes, TYPICAL_DISKS } from '../../src/plan/estimate.js';
import { plan } from '../../src/plan/plan.js';
import { GIB, KIB, MIB } from '../../src/text/units.js';
import { gobonnieErrorWith, type MachineFacts, machineWith, planWith } from '../support/data/fixtures.js';

/** A disk with exactly this many usable bytes. */
function diskWith(bytes: number): MachineFacts {
  return { target: { availableBytes: bytes + GIB, totalBytes: 1000 * GIB } };
}

const SMALL_CONTAINER = { cores: 64, memoryLimitBytes: 512 * MIB };

test.each([{}, { blockSize: '4m' }, { ioSize: '16m' }, { verify: true }, { fileBlockSize: '8m' }])(
  'without --threads, a plan has as many threads as fit into the memory of a container, and a warning: %j',
  (options) => {
    const { threads, warnings } = planWith({ size: 4, ...options }, SMALL_CONTAINER);
    expect(threads).toBeLessThan(64);
    expect(warnings.map(({ code }) => code)).toEqual(['threads-reduced']);
    const withOneMore = () => planWith({ size: 4, ...options, threads: threads + 1 }, SMALL_CONTAINER);
    expect(withOneMore).toThrow(/of memory/);
  },
);

test.each([
  [
    { engine: 'threads' as const },
    /^without io_uring, a depth of 2048 would need 2048 threads; use a depth of at most 1024$/,
  ],
  [
    { engine: 'uring' as const, blockSize: '2m' },
    /too little for 1 thread with transfers of 2 MiB; pass a smaller --depth, --block-size, --io-size or --file-block-size, or/,
  ],
])('a depth that needs too many threads or too much memory is rejected: %j', (options, message) => {
  expect(() => planWith({ size: 4, threads: 1, depth: 2048, ...options })).toThrow(
    expect.objectContaining({ line: expect.stringMatching(message) }),
  );
});

const withThreads = (options: object) =>
  planWith({ size: 4, threads: 2, depth: 8, engine: 'threads', ...options }, { memoryLimitBytes: 64 * GIB });
const stepThreads = (step: object) => {
  const { steps } = withThreads({ steps: [{ phase: 'random', ...step }] });
  return steps[0]?.assignments.length;
};

test.each([
  [{}, 16],
  [{ depth: 1 }, 2],
  [{ threads: 4 }, 32],
  [{ threads: 4, depth: 2 }, 8],
])(
  'without io_uring, a step %j has %i threads if the run has 2 threads and a depth of 8',
  (step, threads) => {
    expect(stepThreads(step)).toBe(threads);
  },
);

test('a great depth reduces the default number of threads to those that fit into the memory', () => {
  const machine = { cores: 16, memoryLimitBytes: 64 * GIB, uringProblem: null };
  const { threads, warnings } = planWith({ size: 4, depth: 4096 }, machine);
  expect(threads).toBe(15);
  expect(warnings.map(({ code }) => code)).toEqual(['threads-reduced']);
});

describe('the size', () => {
  test("is by default twice the container's limit, not twice the machine's RAM", () => {
    const plan = planWith({}, { memoryBytes: 64 * GIB, memoryLimitBytes: 2 * GIB });
    expect(plan.totalBytes).toBe(4 * GIB);
    expect(plan.warnings).toEqual([]);
  });

  test.each<[number, string, OptionsInput, MachineFacts]>([
    [8, 'the test files are evicted from the page cache', {}, {}],
    [8, 'root drops the page cache', {}, { platform: 'darwin', isRoot: true }],
    [8, 'direct I/O bypasses the page cache', { direct: true }, { platform: 'win32' }],
    [128, 'only root could drop the page cache', {}, { platform: 'darwin', isRoot: false }],
    [128, 'nothing drops the page cache', {}, { platform: 'win32' }],
    [128, 'the page cache is kept', { cache: 'keep' }, {}],
    [128, 'the page cache takes the writes, as in gobonniego', { noFsync: true }, {}],
  ])('is by default %i GiB with 64 GiB of RAM if %s', (gib, _reason, options, machine) => {
    const { totalBytes } = planWith(options, { memoryLimitBytes: 64 * GIB, ...machine });
    expect(totalBytes).toBe(gib * GIB);
  });

  test('is by default reduced to fit, with a warning', () => {
    const plan = planWith({ cache: 'keep' }, { ...diskWith(10 * GIB), memoryLimitBytes: 16 * GIB });
    expect(plan.totalBytes).toBe(10 * GIB);
    expect(plan.warnings).toEqual([
      {
        code: 'size-reduced',
        step: null,
        message:
          '/mnt/disk has no room for 32 GiB, the default; using 10 GiB instead, so some reads may be cached',
        hint: 'free some space or measure another directory',
      },
    ]);
  });

  test('of --size is rejected, not reduced, if it does not fit', () => {
    expect(() => planWith({ size: 500 }, diskWith(10.5 * GIB))).toThrow(
      gobonnieErrorWith(
        'size-too-large',
        '--size 500 (500 GiB) does not fit in /mnt/disk, which has 11.5 GiB free, of which 1 GiB must stay free; pass at most --size 10.5 or another --dir',
      ),
    );
  });

  test('leaves 1 GiB of a large filesystem free, and 5 % of a small filesystem', () => {
    const large = planWith({}, { target: { totalBytes: 100 * GIB, availableBytes: 3 * GIB } });
    const small = planWith({}, { target: { totalBytes: GIB, availableBytes: GIB } });
    expect(large.totalBytes).toBe(2 * GIB);
    expect(small.totalBytes).toBe(Math.floor((GIB * 0.95) / (64 * KIB)) * 64 * KIB);
  });

  test.each([
    { threads: 7, blockSize: '12k' },
    { threads: 3, blockSize: '1g' },
  ])('that an error suggests is accepted for %j', (options) => {
    const tooLittle = suggestedSize(() => planWith({ ...options, size: 0.000_001 }));
    expect(planWith({ ...options, size: tooLittle }).slices).toHaveLength(options.threads);
    const justEnough = options.threads * validateOptions(options).blockSize;
    for (const usableBytes of [justEnough, 4.321 * GIB, 7.7777777 * GIB, 123.456 * GIB].filter(
      (bytes) => bytes >= justEnough,
    )) {
      const tooMuch = suggestedSize(() => planWith({ ...options, size: 1000 }, diskWith(usableBytes)));
      expect(planWith({ ...options, size: tooMuch }, diskWith(usableBytes)).totalBytes).toBeLessThanOrEqual(
        usableBytes,
      );
    }
  });
});

test('the threads are one per core by default, and at most 1024', () => {
  const cores = [6, 64, 2048];
  expect(cores.map((count) => planWith({ size: 1 }, { cores: count }).threads)).toEqual([6, 64, 1024]);
  expect(planWith({ threads: 3 }, { cores: 6 }).threads).toBe(3);
});

describe('the slices', () => {
  test.each([
    { threads: 1000, size: 0.5 },
    { threads: 3, size: 0.0123, blockSize: 4 * KIB },
  ])('are whole blocks, add up to the size and differ by at most one block: %j', (options) => {
    const { slices, totalBytes } = planWith(options);
    const { blockSize = 64 * KIB } = options;
    const lengths = slices.map(({ lengthBytes }) => lengthBytes);
    expect(totalBytes).toBe(Math.floor((options.size * GIB) / blockSize) * blockSize);
    expect(lengths).toHaveLength(options.threads);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(totalBytes);
    expect(lengths.filter((length) => length % blockSize !== 0 || length === 0)).toEqual([]);
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(blockSize);
  });

  test('may be as small as one random operation, but no smaller', () => {
    const options = { threads: 2, size: 128 / MIB, ioSize: '64k' };
    expect(planWith(options).slices.map(({ lengthBytes }) => lengthBytes)).toEqual([64 * KIB, 64 * KIB]);
    expect(() => planWith({ ...options, ioSize: 64 * KIB + 1 })).toThrow(
      gobonnieErrorWith(
        'option-invalid',
        "--io-size 65537 is larger than a thread's share of the data, 64 KiB; pass a smaller --io-size, a larger --size or fewer --threads",
      ),
    );
  });
});

test.each([
  [{}, { kind: 'same', blockBytes: 65_536, verify: false, compressiblePercent: 0 }],
  [{ unique: true }, { kind: 'stamped', blockBytes: 65_536, verify: false, compressiblePercent: 0 }],
  [{ compressible: 12.5 }, { kind: 'same', blockBytes: 65_536, verify: false, compressiblePercent: 12.5 }],
])('the data pattern with %j is %j', (options, content) => {
  expect(planWith({ size: 1, ...options }).content).toEqual(content);
});

describe('the page cache', () => {
  test.each<[OptionsInput['cache'], MachineFacts]>([
    ['auto', { platform: 'win32' }],
    ['evict', { platform: 'linux' }],
    ['drop', { platform: 'linux', isRoot: true }],
    ['drop', { platform: 'darwin', isRoot: true }],
  ])('can be handled with --cache %s on %j', (cache, facts) => {
    expect(planWith({ size: 1, cache }, facts).options.cache).toBe(cache);
  });

  test.each<[OptionsInput['cache'], MachineFacts, string]>([
    ['drop', { platform: 'linux' }, '--cache drop needs root'],
    ['drop', { platform: 'win32', isRoot: true }, '--cache drop does not work on Windows'],
    ['evict', { platform: 'darwin', isRoot: true }, '--cache evict does not work on macOS'],
  ])('cannot be handled with --cache %s on %j', (cache, facts, message) => {
    expect(() => planWith({ size: 1, cache }, facts)).toThrow(
      gobonnieErrorWith(
        'option-invalid',
        `${message}; pass --cache auto, which uses the best available method`,
      ),
    );
  });
});

test.each([
  ['9p', ['rw', 'aname=drvfs;path=C:\\;uid=1000'], 'C:\\', 'Windows'],
  ['virtiofs', ['rw'], 'drvfsC12', 'Windows'],
  ['drvfs', ['rw'], 'C:', 'Windows'],
  ['fakeowner', ['rw'], '/run/host_mark/Users', 'Docker Desktop'],
  ['virtiofs', ['rw'], 'shared', 'another system on this machine'],
  ['nfs4', ['rw'], 'nas:/export', 'another machine'],
  ['SMBFS', [], '//guest@nas/share', 'another machine'],
  ['fuse.sshfs', ['rw'], 'nas:/home', 'another machine'],
])(
  'a directory on %s with %j from %s is reported as served by %s',
  (filesystem, mountOptions, device, name) => {
    const target = { filesystem, mountOptions, device, disk: null };
    expect(planWith({ size: 1 }, { target }).warnings).toEqual([
      {
        code: 'remote-filesystem',
        step: null,
        message: `/mnt/disk is served by ${name} through ${filesystem}: every operation is a round trip, and may be served from its cache`,
        hint: expect.stringMatching(
          /^(keep files that must be fast|use a --size that is also well above its RAM$)/,
        ),
      },
    ]);
  },
);

describe('a warning that the filesystem fills a shared file with zeros', () => {
  const findWarnings = (input: OptionsInput, filesystem: string | null, ranks = 1) => {
    const options = validateOptions({ size: 1, threads: 2, ...input });
    return plan(options, machineWith({ target: { filesystem } }), { rank: 0, ranks }).warnings;
  };

  test.each([
    ['--one-file', { threads: 8, oneFile: true }, 1, 8],
    ['--shared-file', { threads: 1, sharedFile: true }, 3, 3],
  ])('names the filesystem, the threads and %s', (option, input, ranks, threads) => {
    expect(findWarnings(input, 'exfat', ranks)).toEqual([
      {
        code: 'zero-filled',
        step: null,
        message:
          `exfat fills the file that ${threads} threads share with zeros up to each thread's first write, ` +
          'so writes may look much too slow',
        hint: `leave out ${option} to give each thread its own file`,
      },
    ]);
  });

  test.each(['vfat', 'msdos', 'ntfs3', 'exFAT', 'FAT32', 'NTFS'])('appears on %s', (filesystem) => {
    expect(findWarnings({ oneFile: true }, filesystem)).toHaveLength(1);
  });

  test.each(['ext4', 'fuseblk', 'ReFS', null])('does not appear on %s', (filesystem) => {
    expect(findWarnings({ oneFile: true }, filesystem)).toEqual([]);
  });

  test.each<[string, OptionsInput, number]>([
    ['if each thread has its own file', {}, 4],
    ['with one thread', { oneFile: true, threads: 1 }, 1],
    ['if each rank of a job has its own file and one thread', { oneFile: true, threads: 1 }, 4],
    ['with small files only', { oneFile: true, phases: 'create,delete', files: 10 }, 1],
  ])('does not appear %s', (_, input, ranks) => {
    expect(findWarnings(input, 'exfat', ranks)).toEqual([]);
  });
});

const DENIED = { code: 'EACCES', errno: -constants.errno.EACCES, message: 'EACCES: permission denied' };

test('a directory that this user may not write to is rejected', () => {
  expect(() => planWith({}, { target: { directory: '/a b', accessError: DENIED } })).toThrow(
    gobonnieErrorWith(
      'directory-unusable',
      '--dir "/a b" cannot be written to: permission denied (EACCES); pass a directory that you may write to',
    ),
  );
});

/** Returns the size that the error's hint suggests. */
function suggestedSize(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    const [, size] = /--size ([\w.]+)/.exec((error as { hint: string }).hint) ?? [];
    if (size !== undefined) return size;
    throw error;
  }
  throw new Error('there was no error');
}

test('a pause before a step lengthens a run, but not the writes beside the step', () => {
  const estimates = ['', ',pause=30'].map((pause) => {
    const planned = planWith({ size: 1, steps: `random,seconds=5${pause}+write` });
    return {
      bytes: estimateWrittenBytes(planned, 1),
      seconds: estimateSeconds(TYPICAL_DISKS.nvmeSsd, planned, 1),
    };
  });
  expect(estimates[1]?.bytes).toBe(estimates[0]?.bytes);
  expect((estimates[1]?.seconds ?? 0) - (estimates[0]?.seconds ?? 0)).toBeCloseTo(30);
});
