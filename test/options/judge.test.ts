import { expect, test } from 'vitest';
import { MAX_DURATION_SECONDS } from '../../src/options/catalogue.js';
import { judge, type OptionsInput } from '../../src/options/judge.js';
import { GIB, KIB } from '../../src/units.js';
import { refusal } from '../fixtures.js';

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
    ...{ compressible: 33.3, untilStable: 2.5, maxRuns: 5 },
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
])('--%s %s is understood as %d', (name, value, meant) => {
  expect(judge({ [name]: value })[name]).toBe(meant);
});

test.each(['direct', 'fsync', 'oneFile', 'unique', 'verify'] as const)(
  '%s is on where it is set, and alone',
  (name) => {
    expect(judge({ [name]: true, seed: 1 })).toEqual({ ...judge({ seed: 1 }), [name]: true });
    expect(judge({ [name]: false, seed: 1 })).toEqual(judge({ seed: 1 }));
  },
);

test.each(['auto', 'drop', 'evict', 'keep'])('--cache %s is a mode', (cache) => {
  expect(judge({ cache }).cache).toBe(cache);
});

test.each<[keyof OptionsInput, number]>([
  ['threads', 1],
  ['threads', 1024],
  ['runs', 1],
  ['seconds', 0],
  ['iopsDuration', MAX_DURATION_SECONDS],
  ['blockSize', 4096],
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
    [0, 512, 5000, GIB + 4096, '1.5m', '64kb', '-4k', 'k', ''],
    'a multiple of 4096 bytes up to 1g',
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
  ['--compressible', 'compressible', [-1, 100.1, '', '50%', Number.NaN], 'a number from 0 to 100', '50'],
  ['--until-stable', 'untilStable', [0, -5, 100.1, '', '5%', null], 'a number above 0 and at most 100', '5'],
  ['--max-runs', 'maxRuns', [2, 3.5, '', 2 ** 53], 'a whole number from 3', '10'],
])(
  '%s refuses what it cannot mean, with the flag, the value and a way out',
  (flag, name, values, expects, example) => {
    for (const value of values) {
      const quoted = value === '' || /\s/.test(String(value)) ? `"${value}"` : String(value);
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

test('a misspelt option is refused and the right ones are named', () => {
  expect(() => judge({ sise: 1 } as OptionsInput)).toThrow(
    refusal(
      'option-unknown',
      'there is no option sise; the options are dir, size, threads, runs, seconds, iopsDuration, blockSize, ioSize, seed, ' +
        'cache, direct, fsync, oneFile, unique, verify, compressible, untilStable, maxRuns',
    ),
  );
});

test.each([null, [], 'size', 5])('options that are no object are refused: %j', (input) => {
  expect(() => judge(input as OptionsInput)).toThrow(
    refusal('option-invalid', 'the options are not an object; pass for example { size: 0.5 }'),
  );
});
