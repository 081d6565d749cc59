import { writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { bonniePlusPlus } from '../../../src/cli/compat/bonnie-plus-plus.js';
import { requestFrom } from '../../../src/cli/dispatch.js';
import type { OptionsInput } from '../../../src/options/options-schema.js';
import { MIB } from '../../../src/text/units.js';
import { planWith } from '../../support/data/fixtures.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { defaultsInHelp, parseRequest, readHelp, rejectionLine } from './requests.js';

const RAM_MIB = Math.floor(os.totalmem() / MIB);
const IO_PHASES = ['putc', 'write', 'rewrite', 'getc', 'read', 'seeks'];
const FAST_PHASES = ['write', 'rewrite', 'read', 'seeks'];
const FILE_PHASES = ['create', 'stat', 'delete', 'create-random', 'stat-random', 'delete-random'];

const parse = (flags: string) => parseRequest(bonniePlusPlus, flags).rawOptions;
/** Returns the options of a small run with these flags. */
const parseSmall = (flags: string) => parse(`-r 0 -s 8 ${flags}`);

test('without flags, it measures twice the RAM in the current directory, in chunks of 8192 bytes, with 8192 seeks by five threads and 16 × 1024 empty files', () => {
  expect(parse('')).toEqual({
    dir: '.',
    runs: 1,
    threads: 1,
    direct: false,
    fsyncPerWrite: false,
    cache: 'keep',
    phases: [...IO_PHASES, ...FILE_PHASES],
    size: (RAM_MIB * 2) / 1024,
    blockSize: 8192,
    ioSize: 8192,
    seeks: 8192,
    seekThreads: 5,
    byteSize: 3 * MIB,
    files: 16_384,
    fileKind: 'files',
    fileSize: 0,
    fileMinSize: 0,
    fileBlockSize: 8192,
    directories: 0,
  });
});

test.each<[string, OptionsInput]>([
  ['-s 64', { size: 64 / 1024 }],
  ['-s 2G', { size: 2 }],
  ['-s 64:1048576', { size: 64 / 1024, blockSize: MIB, ioSize: MIB }],
  ['-s 64:8k:2k', { size: 64 / 1024, seeks: 2048 }],
  ['-s 64:4k:100:3', { size: 64 / 1024, blockSize: 4096, ioSize: 4096, seeks: 100, seekThreads: 3 }],
  ['-n 2', { files: 2048 }],
  ['-n 1:9:8:4:2k', { files: 1024, fileSize: 9, fileMinSize: 8, directories: 4, fileBlockSize: 2048 }],
  ['-n 1:-1:0:3', { files: 1024, fileKind: 'hard-links', directories: 3 }],
  ['-n 1:-2', { files: 1024, fileKind: 'symlinks' }],
  ['-f', { phases: [...FAST_PHASES, ...FILE_PHASES], byteSize: undefined }],
  ['-f0', { phases: [...FAST_PHASES, ...FILE_PHASES], byteSize: undefined }],
  ['-f 5', { byteSize: 5 * MIB }],
  ['-bf5', { fsyncPerWrite: true, byteSize: 5 * MIB }],
  ['-d /mnt/disk', { dir: '/mnt/disk' }],
  ['-bD', { fsyncPerWrite: true, direct: true }],
  ['-c2', { threads: 2 }],
  ['-x3', { runs: 3 }],
  ['-m gum07', { label: 'gum07' }],
  ['-z 42', { seed: '42' }],
  ['-q -u nobody:nogroup -g nogroup -y p', {}],
])('%s sets only its own options', (flags, options) => {
  expect(parseSmall(flags)).toEqual({ ...parseSmall(''), ...options });
});

test.each([
  ['-s 0 -r 1024', FILE_PHASES, ['size', 'blockSize', 'seeks', 'seekThreads', 'byteSize']],
  ['-r 0 -s 8 -n 0', IO_PHASES, ['files', 'fileSize', 'directories']],
])('%s skips half of the tests, and sets none of their options', (flags, phases, unset) => {
  expect(parse(flags).phases).toEqual(phases);
  for (const name of unset) expect(parse(flags)).not.toHaveProperty(name);
});

test.each([1, 12_345])(
  '-s %i measures exactly that many MiB, of which the per-byte tests transfer 3 MiB',
  (megabytes) => {
    const { totalBytes, byteWiseTotalBytes } = planWith(parse(`-r 0 -s ${megabytes}`));
    expect(totalBytes).toBe(megabytes * MIB);
    expect(byteWiseTotalBytes).toBe(Math.min(megabytes, 3) * MIB);
  },
);

test('the size must be at least twice the RAM, which -r sets', () => {
  expect(parse('-r 512').size).toBe(1);
  expect(parse('-r 512 -s 1g').size).toBe(1);
  expect(rejectionLine(bonniePlusPlus, '-r 512 -s 1023')).toBe(
    '-s 1023 is less than twice the RAM (512 MiB), so reads may be cached; pass -s 1024, or -r 0 to skip this check',
  );
  expect(rejectionLine(bonniePlusPlus, `-s ${RAM_MIB * 2 - 1}`)).toContain('is less than twice the RAM');
});

test.each([
  ['-r 1 -s 2 -n 13', 'not rejected'],
  ['-r 1 -s 2 -n 14', '-n 14 is too many files: their names do not fit in 1 MiB of RAM; pass fewer, '],
  ['-s abc', 'invalid -s abc: expected MiB[:chunk[:seeks[:seekers]]]; for example, -s 64:8k:4096:3'],
  ['-s 9999999999999', '-s 9999999999999 is too large; pass at most -s 8589934592'],
  ['-r 0 -s 8:8k:100:3:4', 'invalid -s 8:8k:100:3:4: expected MiB'],
  ['-r 0 -s 8:300', 'invalid -s chunk 300: expected a power of two from 256 bytes to 1 MiB; for example, -s'],
  ['-r 0 -s 8:128', 'invalid -s chunk 128: expected a power of two'],
  ['-r 0 -s 8:8k:9999999999', 'invalid -s …:…:SEEKS 9999999999: expected a whole number from 1 to'],
  ['-r 0 -s 8:8k:100:0', 'invalid -s …:…:…: 0: expected a whole number, 1 or more; '],
  ['-r 0 -s 8:8k:100:1025', 'invalid -s …:…:…:SEEKERS 1025: expected a whole number from 1 to 1024; '],
  ['-s 0 -n 0', '-s 0 and -n 0 leave nothing to do; leave one of them out'],
  ['-s 0 -n 1000000', 'invalid -n 1000000: expected a whole number from 0 to '],
  ['-s 0 -n 1:-3', 'invalid -n 1:-3: expected N[:max[:min[:dirs[:chunk]]]]; for example, -n 16:1000:10:4:8k'],
  ['-s 0 -n 1:10:20', '-n 1:10:20: the minimum size 20 is larger than the maximum 10; put the maximum first'],
  ['-s 0 -n 1:0:0:100000', 'invalid -n …:…:…: 100000: expected a whole number from 0 to 99999; '],
  ['-r 0 -s 8 -f1.5', 'invalid -f 1.5: expected a whole number, 0 or more; '],
  ['-c 1025', 'invalid -c 1025: expected a whole number from 1 to 1024; for example, -c 4'],
  ['-x 0', 'invalid -x 0: expected a whole number, 1 or more; '],
  ['-Z /no/such', '-Z /no/such cannot be read: no such file or directory (ENOENT); pass a file of random '],
  ['-Z /dev/null', '-Z /dev/null is empty; '],
])('%j: %s', (flags, line) => {
  expect(rejectionLine(bonniePlusPlus, flags)).toContain(line);
});

test.each(['-d', '-s', '-n', '-c', '-r', '-x', '-z', '-Z'])('%s rejects an empty value', (flag) => {
  expect(rejectionLine(bonniePlusPlus, [flag, ''])).toMatch(
    new RegExp(`^(${flag} "" |invalid ${flag} "": )`),
  );
});

test("the seed is the beginning of the content's SHA-256, which --seed accepts", () => {
  const file = path.join(makeDirectory(), 'random');
  writeFileSync(file, 'abc');
  // FIPS 180-4's example: ba7816bf 8f01cfea …
  expect(planWith(parseSmall(`-Z ${file}`)).options.seed).toBe(0xba7816bf8f01);
});

test('gobonnie bonnie++ is a command that exits with 5 after a signal', async () => {
  expect(await requestFrom(['bonnie++', '-r0', '-s8'])).toMatchObject({
    rawOptions: { size: 8 / 1024 },
    abortedExitCode: 5,
    ignoredSignals: ['SIGHUP'],
    prepare: expect.any(Function),
  });
});

test.each([
  ['', ['bonnie++', 'bonnie++-csv'], 'bonnie++'],
  ['-q', ['bonnie++-csv'], 'bonnie++-tables'],
  ['-x 1', ['bonnie++-csv'], 'bonnie++'],
  ['-q -x 1', ['bonnie++-csv'], 'none'],
])('with the flags %j, stdout and stderr have their formats', (flags, formats, logFormat) => {
  expect(parseRequest(bonniePlusPlus, flags)).toMatchObject({ formats, logFormat });
});

test.each([
  ['-q 20', 'there is no command or argument 20; see gobonnie bonnie++ --help'],
  ['-qk', 'unknown option -k; see gobonnie bonnie++ --help'],
  ['-q -c', '-c has no value; '],
  ['-p 2', 'unknown option -p; docs/hosts.md shows how several processes measure together'],
  ['-y s', 'unknown -y s; docs/hosts.md shows how several processes measure together'],
  ['-y x', 'unknown -y x; pass -y p'],
])('%s is rejected: %s', (flags, line) => {
  expect(rejectionLine(bonniePlusPlus, flags)).toContain(line);
});

test('the help shows the defaults, and the cost of byte-wise code in Node', () => {
  expect(readHelp(bonniePlusPlus).replace(/\s+/g, ' ')).toContain('the cost of byte-wise code in Node');
  expect(defaultsInHelp(bonniePlusPlus)).toEqual([
    '.',
    'twice the RAM:8192:8192:5',
    '16',
    '3',
    "the machine's RAM",
    '1',
    'random',
    'once, with the tables',
    "the host's name",
  ]);
});
