import { expect, test } from 'vitest';
import { MAX_DURATION_SECONDS } from '../../src/options/catalogue.js';
import { judge } from '../../src/options/judge.js';
import type { OptionsInput } from '../../src/options/schema.js';
import { GIB, KIB } from '../../src/text/units.js';
import { phases } from '../../workers/phases/catalogue.js';
import { refusal } from '../support/fixtures.js';

test("what is not asked for is gobonniego's default, and size, threads and dir wait for the machine", () => {
  expect(judge({})).toEqual({
    runs: 1,
    seconds: 0,
    iopsDuration: 15,
    blockSize: 64 * KIB,
    ioSize: 512,
    seed: expect.any(Number),
    cache: 'auto',
    direct: false,
    fsync: false,
    oneFile: false,
    unique: false,
    verify: false,
    compressible: 0,
    maxRuns: 30,
    stallTimeout: 10,
    phases: ['write', 'read', 'iops'],
    seeks: 8192,
    volumes: 1,
    byteMode: 'locked',
    syncWrites: false,
    files: 16_384,
    fileKind: 'files',
    fileSize: 0,
    fileMinSize: 0,
    directories: 0,
  });
});

test('an option that is there but undefined counts as not asked for', () => {
  expect(judge({ dir: undefined, size: undefined, runs: undefined, blockSize: undefined, seed: 1 })).toEqual(
    judge({ seed: 1 }),
  );
});

test('two runs without a seed draw two, each a whole number of 32 bits', () => {
  const seeds = Array.from({ length: 20 }, () => judge({}).seed);
  expect(new Set(seeds).size).toBeGreaterThan(1);
  expect(seeds.filter((seed) => !Number.isInteger(seed) || seed < 0 || seed >= 2 ** 32)).toEqual([]);
});

test("a program's numbers and a command line's strings mean the same", () => {
  const numbers = {
    ...{ size: 0.5, threads: 8, runs: 2, seconds: 1.5, iopsDuration: 0.25, ioSize: 4096, seed: 7 },
    ...{ compressible: 33.3, untilStable: 2.5, maxRuns: 5, seeks: 4000, seekers: 3, volumes: 2 },
    ...{
      byteSize: 1_000_000,
      files: 1024,
      fileSize: 4096,
      fileMinSize: 100,
      fileBlockSize: 512,
      directories: 16,
    },
  };
  const strings = Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, String(value)]));
  expect(judge(strings)).toEqual(judge(numbers));
  expect(judge(numbers)).toMatchObject(numbers);
});

test.each<[keyof OptionsInput, string, number]>([
  ['size', '.5', 0.5],
  ['size', '2.', 2],
  ['size', '+1', 1],
  ['size', '1e-3', 0.001],
  ['threads', '4.0', 4],
  ['blockSize', '4096', 4096],
  ['blockSize', '64k', 64 * KIB],
  ['blockSize', '1M', 1024 * KIB],
  ['blockSize', '1g', GIB],
  ['ioSize', '1', 1],
  ['ioSize', '4K', 4 * KIB],
  ['blockSize', '256', 256],
  ['byteSize', '20m', 20 * 1024 * KIB],
  ['byteSize', '3', 3],
  ['fileSize', '0', 0],
  ['fileSize', '4k', 4 * KIB],
])('--%s %s is understood as %d', (name, value, meant) => {
  expect(judge({ [name]: value })[name]).toBe(meant);
});

test.each(['direct', 'fsync', 'oneFile', 'unique', 'verify', 'syncWrites'] as const)(
  '%s is on where it is set, and alone',
  (name) => {
    expect(judge({ [name]: true, seed: 1 })).toEqual({ ...judge({ seed: 1 }), [name]: true });
    expect(judge({ [name]: false, seed: 1 })).toEqual(judge({ seed: 1 }));
  },
);

test.each(['auto', 'drop', 'evict', 'keep'] as const)('--cache %s is a mode', (cache) => {
  expect(judge({ cache }).cache).toBe(cache);
});

test.each(['locked', 'unlocked', 'syscall'] as const)('--byte-mode %s is a mode', (byteMode) => {
  expect(judge({ byteMode }).byteMode).toBe(byteMode);
});

test.each(['files', 'hard-links', 'symlinks'] as const)('--file-kind %s is a kind', (fileKind) => {
  expect(judge({ fileKind }).fileKind).toBe(fileKind);
});

test.each([[['seeks', 'write']], ['seeks,write'], [' seeks , write ']])(
  '--phases %j keeps its order',
  (phases) => {
    expect(judge({ phases }).phases).toEqual(['seeks', 'write']);
  },
);

test('every phase of the catalogue can be asked for', () => {
  const names = phases.map(({ name }) => name);
  expect(judge({ phases: names.join(',') }).phases).toEqual(names);
});

test('the least that a file holds may be the most, and no more', () => {
  expect(judge({ fileMinSize: '4k', fileSize: '4k' })).toMatchObject({ fileMinSize: 4096, fileSize: 4096 });
  expect(() => judge({ fileMinSize: 4097, fileSize: '4k' })).toThrow(
    refusal(
      'option-invalid',
      '--file-min-size 4097 is more than --file-size 4k; pass a larger --file-size or a smaller --file-min-size',
    ),
  );
});

test('a label may be any name', () => {
  expect(judge({ label: "the <big> one's €" }).label).toBe("the <big> one's €");
});

test.each<[keyof OptionsInput, number]>([
  ['threads', 1],
  ['threads', 1024],
  ['runs', 1],
  ['seconds', 0],
  ['iopsDuration', MAX_DURATION_SECONDS],
  ['blockSize', 256],
  ['blockSize', GIB],
  ['ioSize', 1],
  ['ioSize', GIB],
  ['seed', 0],
  ['seed', Number.MAX_SAFE_INTEGER],
  ['compressible', 0],
  ['compressible', 100],
  ['untilStable', 0.001],
  ['untilStable', 100],
  ['maxRuns', 3],
  ['seeks', 1],
  ['seeks', 2 ** 30],
  ['seekers', 1],
  ['seekers', 1024],
  ['volumes', 1],
  ['volumes', 1024],
  ['byteSize', 1],
  ['files', 1],
  ['files', 2 ** 24],
  ['fileSize', GIB],
  ['fileMinSize', 0],
  ['fileBlockSize', 1],
  ['fileBlockSize', GIB],
  ['directories', 0],
  ['directories', 99_999],
])('the bound itself is inside: %s %d', (name, bound) => {
  expect(judge({ [name]: bound })[name]).toBe(bound);
});

test.each<[string, keyof OptionsInput, readonly unknown[], string, string]>([
  [
    '--size',
    'size',
    [0, -1, '', ' 1', '1 ', '0x10', '1e400', 'large', '0,5', '1_000', Number.NaN, Infinity, null],
    'a number of GiB above 0 and at most 8388608',
    '0.5',
  ],
  ['--threads', 'threads', [0, 1025, 1.5, '', 'all'], 'a whole number from 1 to 1024', '4'],
  ['--runs', 'runs', [0, -1, 1.5, '', 2 ** 53], 'a whole number above 0', '3'],
  ['--seconds', 'seconds', [-0.1, '', '1h'], 'a number of seconds, 0 or above', '3600'],
  [
    '--iops-duration',
    'iopsDuration',
    [0, MAX_DURATION_SECONDS + 1, ''],
    'a number of seconds above 0 and at most 2147483',
    '0.5',
  ],
  [
    '--block-size',
    'blockSize',
    [0, 255, 257, 5000, GIB + 256, '1.5m', '64kb', '-4k', 'k', ''],
    'a multiple of 256 bytes up to 1g',
    '64k',
  ],
  ['--io-size', 'ioSize', [0, GIB + 1, 1.5, '2g', ''], 'a number of bytes from 1 to 1g', '4k'],
  ['--seed', 'seed', [-1, 1.5, 2 ** 53, ''], 'a whole number from 0 to 2^53 - 1', '42'],
  ['--cache', 'cache', ['', 'Drop', 'drop ', 'all', 1, null], 'one of auto, drop, evict, keep', 'evict'],
  ['--direct', 'direct', ['', 'yes', 1, null], 'true or false', 'true'],
  ['--fsync', 'fsync', ['', 'yes', 1, null], 'true or false', 'true'],
  ['--one-file', 'oneFile', ['', 'yes', 1, null], 'true or false', 'true'],
  ['--unique', 'unique', ['', 'yes', 1, null], 'true or false', 'true'],
  ['--verify', 'verify', ['', 'yes', 1, null], 'true or false', 'true'],
  ['--compressible', 'compressible', [-1, 100.1, '', '101%', Number.NaN], 'a number from 0 to 100', '50'],
  ['--until-stable', 'untilStable', [0, -5, 100.1, '', '0%', null], 'a number above 0 and at most 100', '5'],
  ['--max-runs', 'maxRuns', [2, 3.5, '', 2 ** 53], 'a whole number from 3', '10'],
  [
    '--phases',
    'phases',
    ['', 'fly', 'Write', 'write,', 'write,write', 'write;read', 7],
    'a list of putc, write, rewrite, getc, read, seeks, iops, create, stat, delete, create-random, stat-random, ' +
      'delete-random, each of them once',
    'write,rewrite,read,seeks',
  ],
  ['--seeks', 'seeks', [0, 1.5, 2 ** 30 + 1, '8k', ''], 'a whole number from 1 to 1073741824', '4000'],
  ['--seekers', 'seekers', [0, 1.5, 1025, '', null], 'a whole number from 1 to 1024', '3'],
  ['--volumes', 'volumes', [0, 1.5, 1025, ''], 'a whole number from 1 to 1024', '3'],
  ['--byte-size', 'byteSize', [0, 1.5, -1, '1t', '', null], 'a number of bytes above 0', '20m'],
  ['--byte-mode', 'byteMode', ['', 'Locked', 'none', true], 'one of locked, unlocked, syscall', 'unlocked'],
  ['--sync-writes', 'syncWrites', ['', 'yes', 1, null], 'true or false', 'true'],
  ['--files', 'files', [0, 1.5, 2 ** 24 + 1, '16k', ''], 'a whole number from 1 to 16777216', '1024'],
  ['--file-kind', 'fileKind', ['', 'links', -1, null], 'one of files, hard-links, symlinks', 'symlinks'],
  ['--file-size', 'fileSize', [-1, 1.5, GIB + 1, '4kb', ''], 'a number of bytes from 0 to 1g', '4k'],
  ['--directories', 'directories', [-1, 1.5, 100_000, ''], 'a whole number from 0 to 99999', '16'],
  ['--label', 'label', ['', 'two\nlines', 'two\rlines', 7, null], 'a name without line breaks', 'goldhost'],
])(
  '%s refuses what it cannot mean, with the flag, the value and a way out',
  (flag, name, values, expects, example) => {
    for (const value of values) {
      const quoted = /^\S+$/.test(String(value)) ? String(value) : JSON.stringify(value);
      expect(() => judge({ [name]: value }), `${flag} ${quoted}`).toThrow(
        refusal('option-invalid', `${flag} ${quoted} is not ${expects}; pass for example ${flag} ${example}`),
      );
    }
  },
);

test.each([
  ['', '""'],
  ['a\0b', '"a\\u0000b"'],
])('--dir %j is no path', (dir, quoted) => {
  expect(() => judge({ dir })).toThrow(
    refusal(
      'option-invalid',
      `--dir ${quoted} is not the path of a directory; pass for example --dir /mnt/disk`,
    ),
  );
});

test('a misspelt option is refused, and what was probably meant is named', () => {
  expect(() => judge({ sise: 1 } as OptionsInput)).toThrow(
    refusal('option-unknown', 'there is no option sise; did you mean size?'),
  );
});

test('an option that is nothing like any is refused, and the right ones are named', () => {
  expect(() => judge({ weather: 1 } as OptionsInput)).toThrow(
    refusal(
      'option-unknown',
      'there is no option weather; the options are dir, size, threads, runs, seconds, iopsDuration, blockSize, ioSize, seed, ' +
        'cache, direct, fsync, oneFile, unique, verify, compressible, untilStable, maxRuns, stallTimeout, phases, seeks, seekers, volumes, ' +
        'byteSize, byteMode, syncWrites, files, fileKind, fileSize, fileMinSize, fileBlockSize, directories, label',
    ),
  );
});

test.each(['5%', '5 %', '5', 5])('--until-stable %s is 5 per cent', (untilStable) => {
  expect(judge({ untilStable }).untilStable).toBe(5);
});

test.each([null, [], 'size', 5])('options that are no object are refused: %j', (input) => {
  expect(() => judge(input as OptionsInput)).toThrow(
    refusal('option-invalid', 'the options are not an object; pass for example { size: 0.5 }'),
  );
});
