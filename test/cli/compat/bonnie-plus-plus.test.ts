import { writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { bonniePlusPlus } from '../../../src/cli/compat/bonnie-plus-plus.js';
import {
  formatBonniePlusPlusLog,
  formatBonniePlusPlusTables,
} from '../../../src/cli/compat/bonnie-plus-plus-log-format.js';
import { requestFrom } from '../../../src/cli/dispatch.js';
import { MIB } from '../../../src/text/units.js';
import { gobonnieErrorWith, planWith } from '../../support/data/fixtures.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { readHelp, rejectionLine, parseRequest as requestIn } from './requests.js';

const RAM_MIB = Math.floor(os.totalmem() / MIB);
const IO_PHASES = ['putc', 'write', 'rewrite', 'getc', 'read', 'seeks'];
const FAST_PHASES = ['write', 'rewrite', 'read', 'seeks'];
const FILE_PHASES = ['create', 'stat', 'delete', 'create-random', 'stat-random', 'delete-random'];

const requestOf = (line: string | readonly string[]) => requestIn(bonniePlusPlus, argsOf(line));

function argsOf(line: string | readonly string[]): readonly string[] {
  return typeof line === 'string' ? line.split(' ').filter(Boolean) : line;
}

/** Returns the options of a small run with these flags. */
function inputOf(line: string | readonly string[]) {
  return requestOf(['-r', '0', '-s', '8', ...argsOf(line)]).input;
}

const SMALL = inputOf([]);

test('gobonnie bonnie++ parses the flags of bonnie++', async () => {
  expect(await requestFrom(['bonnie++', '-r0', '-s8'])).toMatchObject({
    input: { size: 8 / 1024, blockSize: 8192 },
  });
});

describe('without flags', () => {
  test('it measures twice the RAM in the current directory, in chunks of 8192 bytes, with 8192 seeks by five threads and 16 × 1024 empty files', () => {
    expect(requestOf('').input).toEqual({
      dir: '.',
      runs: 1,
      threads: 1,
      direct: false,
      fsync: true,
      fsyncPerWrite: false,
      byteMode: 'syscall',
      cache: 'keep',
      phases: [...IO_PHASES, ...FILE_PHASES],
      size: (RAM_MIB * 2) / 1024,
      blockSize: 8192,
      ioSize: 8192,
      seeks: 8192,
      seekThreads: 5,
      byteSize: 20 * MIB,
      files: 16_384,
      fileKind: 'files',
      fileSize: 0,
      fileMinSize: 0,
      fileBlockSize: 8192,
      directories: 0,
    });
  });

  test("it has the formats table and CSV, and bonnie++'s messages", async () => {
    const request = requestOf('');
    expect(request.formats).toEqual(['bonnie++', 'bonnie++-csv']);
    expect(await request.loadLogFormatter()).toBe(formatBonniePlusPlusLog);
    expect(request.cliOptions).toEqual({});
  });

  test('it exits with 5 after a signal', () => {
    expect(requestOf('').abortedExitCode).toBe(5);
  });
});

describe('-s', () => {
  test.each([
    ['64', { size: 64 / 1024 }],
    ['64m', { size: 64 / 1024 }],
    ['64M', { size: 64 / 1024 }],
    ['1g', { size: 1 }],
    ['2G', { size: 2 }],
    ['1t', { size: 1024 }],
    ['64:4k', { size: 64 / 1024, blockSize: 4096, ioSize: 4096 }],
    ['64:4K', { size: 64 / 1024, blockSize: 4096, ioSize: 4096 }],
    ['64:256', { size: 64 / 1024, blockSize: 256, ioSize: 256 }],
    ['64:1024k', { size: 64 / 1024, blockSize: MIB, ioSize: MIB }],
    ['64:1048576', { size: 64 / 1024, blockSize: MIB, ioSize: MIB }],
    ['64:8k:100', { size: 64 / 1024, seeks: 100 }],
    ['64:8k:2k', { size: 64 / 1024, seeks: 2048 }],
    ['64:4k:100:3', { size: 64 / 1024, blockSize: 4096, ioSize: 4096, seeks: 100, seekThreads: 3 }],
    ['1g:16k:4k:1', { size: 1, blockSize: 16_384, ioSize: 16_384, seeks: 4096, seekThreads: 1 }],
  ])('%s', (value, input) => {
    expect(inputOf(['-s', value])).toEqual({ ...SMALL, ...input });
    expect(inputOf([`-s${value}`])).toEqual({ ...SMALL, ...input });
  });

  test('0 skips the tests of the data file, and sets none of their options', () => {
    const { input } = requestOf('-s 0');
    expect(input.phases).toEqual(FILE_PHASES);
    expect(input).toMatchObject({ fileBlockSize: 8192, files: 16_384 });
    for (const name of ['size', 'blockSize', 'seeks', 'seekThreads', 'byteSize'])
      expect(input).not.toHaveProperty(name);
    expect(planWith(input)).toMatchObject({ totalBytes: 0, slices: [] });
  });

  test('N measures exactly N MiB, of which the per-byte tests transfer 20 MiB', () => {
    for (const megabytes of [1, 7, 99, 1023, 12_345]) {
      const plan = planWith(inputOf(['-s', String(megabytes)]));
      expect(plan.totalBytes).toBe(megabytes * MIB);
      expect(plan.byteWiseTotalBytes).toBe(Math.min(megabytes, 20) * MIB);
    }
  });
});

describe('-r', () => {
  test('sets the RAM, so the size defaults to twice this RAM', () => {
    expect(requestOf('-r 512').input.size).toBe(1);
    expect(requestOf('-r 512 -s 1g').input.size).toBe(1);
    expect(requestOf('-r512 -s1025').input.size).toBe(1025 / 1024);
  });

  test('0 skips the check of the size', () => {
    expect(requestOf('-r 0 -s 1').input.size).toBe(1 / 1024);
  });

  test.each(['-r 8 -s 15', '-r 1024 -s 1g', '-r 512 -s 1023'])(
    '%s is rejected, because the size is less than twice the RAM',
    (line) => {
      expect(() => requestOf(line)).toThrow(
        expect.objectContaining({
          kind: 'usage',
          line: expect.stringMatching(
            /^-s \d+ is less than twice the RAM \(\d+ MiB\), so .*; pass -s \d+, or -r 0 to skip this check$/,
          ),
        }),
      );
    },
  );

  test("is the machine's RAM by default", () => {
    expect(() => requestOf(['-s', String(RAM_MIB * 2 - 1)])).toThrow(`-s ${RAM_MIB * 2 - 1} is less than`);
    expect(requestOf(['-s', String(RAM_MIB * 2)]).input.size).toBe((RAM_MIB * 2) / 1024);
  });

  test('does not limit the file tests', () => {
    expect(requestOf('-s 0 -r 1024').input.phases).toEqual(FILE_PHASES);
  });
});

describe('-n', () => {
  test.each([
    ['1', { files: 1024 }],
    ['16', { files: 16_384 }],
    ['1:1000', { files: 1024, fileSize: 1000 }],
    ['1:1000:10', { files: 1024, fileSize: 1000, fileMinSize: 10 }],
    ['1:1000:1000', { files: 1024, fileSize: 1000, fileMinSize: 1000 }],
    ['1:1000:10:4', { files: 1024, fileSize: 1000, fileMinSize: 10, directories: 4 }],
    ['1:2k:1k', { files: 1024, fileSize: 2048, fileMinSize: 1024 }],
    ['1:-1', { files: 1024, fileKind: 'hard-links' }],
    ['1:-2', { files: 1024, fileKind: 'symlinks' }],
    ['1:-1:0:3', { files: 1024, fileKind: 'hard-links', directories: 3 }],
    ['1:0:0:4', { files: 1024, directories: 4 }],
  ])('%s', (value, input) => {
    expect(inputOf(['-n', value])).toEqual({ ...SMALL, ...input });
    expect(inputOf([`-n${value}`])).toEqual({ ...SMALL, ...input });
  });

  test('16:1000:10:4:2k transfers the small files in chunks of 2 KiB', () => {
    expect(requestOf('-s 0 -n 16:1000:10:4:2k').input).toMatchObject({
      files: 16_384,
      fileSize: 1000,
      fileMinSize: 10,
      directories: 4,
      fileBlockSize: 2048,
      phases: FILE_PHASES,
    });
  });

  test('has a chunk that is independent of the chunk of -s', () => {
    expect(inputOf('-s 8:16k -n 1:1000:10:4:2k')).toMatchObject({
      blockSize: 16_384,
      ioSize: 16_384,
      fileBlockSize: 2048,
    });
    expect(inputOf('-s 8:16k -n 1')).toMatchObject({ blockSize: 16_384, fileBlockSize: 8192 });
    expect(planWith(inputOf('-n 1:1000:10:4:2k')).transfer.fileBlockBytes).toBe(2048);
  });

  test('0 skips the file tests', () => {
    const input = inputOf('-n 0');
    expect(input.phases).toEqual(IO_PHASES);
    for (const name of ['files', 'fileSize', 'directories']) expect(input).not.toHaveProperty(name);
    expect(planWith(input).trees).toEqual([]);
  });
});

describe('-f', () => {
  test('alone skips the per-byte tests', () => {
    expect(inputOf('-f').phases).toEqual([...FAST_PHASES, ...FILE_PHASES]);
    expect(inputOf('-f -n 0').phases).toEqual(FAST_PHASES);
    expect(inputOf('-qbf -n 0').phases).toEqual(FAST_PHASES);
  });

  test('with an attached number limits the per-byte tests to this many MiB', () => {
    expect(inputOf('-f5')).toEqual({ ...SMALL, byteSize: 5 * MIB });
    expect(planWith(inputOf('-f5')).byteWiseTotalBytes).toBe(5 * MIB);
    expect(inputOf('-qf1')).toEqual({ ...SMALL, byteSize: MIB });
  });

  test('0 also skips the per-byte tests', () => {
    expect(inputOf('-f0').phases).toEqual([...FAST_PHASES, ...FILE_PHASES]);
  });

  test.each(['-f 20', '-qf 20', '-f disk'])('does not take a separate word as its value: %s', (line) => {
    expect(() => inputOf(line)).toThrow(
      expect.objectContaining({
        line: expect.stringMatching(/^there is no command or argument (20|disk); /),
      }),
    );
  });
});

describe('the other flags:', () => {
  test.each([
    ['-d /mnt/disk', { dir: '/mnt/disk' }],
    ['-d/mnt/disk', { dir: '/mnt/disk' }],
    ['-b', { fsyncPerWrite: true }],
    ['-D', { direct: true }],
    ['-bD', { fsyncPerWrite: true, direct: true }],
    ['-c 2', { threads: 2 }],
    ['-c8', { threads: 8 }],
    ['-x 3', { runs: 3 }],
    ['-x3', { runs: 3 }],
    ['-m gum07', { label: 'gum07' }],
    ['-z 42', { seed: '42' }],
    ['-z42', { seed: '42' }],
    ['-u root', {}],
    ['-u nobody:nogroup', {}],
    ['-g nogroup', {}],
    ['-q', {}],
    ['-y s', {}],
    ['-yp', {}],
  ])('%s', (line, input) => {
    expect(inputOf(line)).toEqual({ ...SMALL, ...input });
  });

  test('-Z derives the seed from the content of a file', () => {
    const file = path.join(makeDirectory(), 'random');
    writeFileSync(file, 'abc');
    expect(inputOf(['-Z', file])).toEqual({ ...SMALL, seed: 0xba7816bf8f01 });
    expect(inputOf([`-Z${file}`]).seed).toBe(0xba7816bf8f01);
  });

  test('-q selects only CSV for stdout, and the tables for stderr', async () => {
    const request = requestOf('-q');
    expect(request.formats).toEqual(['bonnie++-csv']);
    expect(await request.loadLogFormatter()).toBe(formatBonniePlusPlusTables);
  });

  test('-x selects only CSV, even for one run', async () => {
    expect(requestOf('-x 2').formats).toEqual(['bonnie++-csv']);
    expect(requestOf('-x 1').formats).toEqual(['bonnie++-csv']);
    expect(await requestOf('-x 2').loadLogFormatter()).toBe(formatBonniePlusPlusLog);
  });

  test('-p is a command without a measurement', () => {
    for (const line of ['-p 3', '-p3', '-p -1', '-p-1', '-u root -p 3'])
      expect(bonniePlusPlus.parse(argsOf(line))).toEqual({ type: 'command', run: expect.any(Function) });
  });

  test('-u adds a preparation step', () => {
    expect(requestOf('-u root').prepare).toEqual(expect.any(Function));
  });

  test('all flags can be combined', () => {
    const line =
      '-d /mnt -s 1g:4k:100:3 -n 2:1000:10:4 -f5 -bDq -c 2 -r 256 -x 2 -m gum07 -u nobody -z 7 -y s';
    expect(requestOf(line)).toMatchObject({
      formats: ['bonnie++-csv'],
      input: {
        dir: '/mnt',
        size: 1,
        blockSize: 4096,
        ioSize: 4096,
        seeks: 100,
        seekThreads: 3,
        byteSize: 5 * MIB,
        files: 2048,
        fileSize: 1000,
        fileMinSize: 10,
        directories: 4,
        fsyncPerWrite: true,
        direct: true,
        threads: 2,
        runs: 2,
        label: 'gum07',
        seed: '7',
        phases: [...IO_PHASES, ...FILE_PHASES],
      },
    });
  });

  test('a repeated flag has its last value', () => {
    expect(inputOf('-c 2 -c 3 -f -f5')).toMatchObject({ threads: 3, byteSize: 5 * MIB });
  });
});

describe('the help', () => {
  const text = readHelp(bonniePlusPlus);

  test.each([
    ['d', 'default: .'],
    ['s', 'MiB[:CHUNK[:SEEKS[:SEEKERS]]]'],
    ['s', 'twice the RAM:8192:8192:5'],
    ['n', 'N[:MAX[:MIN[:DIRS[:CHUNK]]]]'],
    ['n', '-1 for hard links, -2 for symlinks (default: 16)'],
    ['f', 'default: 20'],
    ['b', 'sync after every write'],
    ['D', 'bypass the page cache'],
    ['c', 'default: 1'],
    ['r', '0 skips this check'],
    ['x', 'number of runs'],
    ['m', "default: the host's"],
    ['u', 'USER[:GROUP]'],
    ['g', 'group'],
    ['q', 'print only CSV'],
    ['p', '-1 removes it'],
    ['y', 's|p'],
    ['z', 'same random numbers'],
    ['Z', 'random bytes'],
  ])('describes -%s with %s', (letter, words) => {
    const paragraphs = text.split(/\n(?= {2}-)/).map((lines) => lines.replace(/\s+/g, ' '));
    const [paragraph] = paragraphs.filter((lines) => lines.startsWith(` -${letter}`));
    expect(paragraph).toContain(words);
  });

  test('mentions the cost of byte-wise code in Node', () => {
    expect(text).toMatch(/^Usage: gobonnie bonnie\+\+ /);
    expect(text.replace(/\s+/g, ' ')).toContain('the cost of byte-wise code in Node');
  });

  test.each(['--help', '-qh', '-s 0 -n 0 -h'])('is printed by %s', (line) => {
    expect(bonniePlusPlus.parse(argsOf(line))).toEqual({ type: 'print', text });
  });
});

const lineOf = (line: string | readonly string[]) => rejectionLine(bonniePlusPlus, argsOf(line));

describe('bonnie++ rejects in one line:', () => {
  test.each([
    [
      '-s abc',
      /^invalid -s abc: expected MiB\[:chunk\[:seeks\[:seekers\]\]\]; for example, -s 64:8k:4096:3$/,
    ],
    ['-s -8', /^invalid -s -8: expected MiB/],
    ['-s 1.5', /^invalid -s 1\.5: expected MiB/],
    ['-s 8q', /^invalid -s 8q: expected MiB/],
    ['-s 8mb', /^invalid -s 8mb: expected MiB/],
    ['-s 0x10', /^invalid -s 0x10: expected MiB/],
    ['-r 0 -s 8:abc', /^invalid -s 8:abc: expected MiB/],
    ['-r 0 -s 8:8k:abc', /^invalid -s 8:8k:abc: expected MiB/],
    ['-r 0 -s 8:8k:1.5', /^invalid -s 8:8k:1\.5: expected MiB/],
    ['-r 0 -s 8:8k:100:3:4', /^invalid -s 8:8k:100:3:4: expected MiB/],
    ['-r 0 -s 8:300', /^invalid -s chunk 300: expected a power of two from 256 bytes to 1 MiB; /],
    ['-r 0 -s 8:128', /^invalid -s chunk 128: expected a power of two/],
    ['-r 0 -s 8:0', /^invalid -s chunk 0: expected a power of two/],
    ['-r 0 -s 8:2m', /^invalid -s chunk 2m: expected a power of two/],
    ['-r 0 -s 8:2048k', /^invalid -s chunk 2048k: expected a power of two/],
    ['-r 0 -s 8:3k', /^invalid -s chunk 3k: expected a power of two/],
    ['-r 0 -s 8:8k:100:abc', /^invalid -s .*abc: expected a whole number, 1 or more; /],
    ['-r 0 -s 8:8k:100:0', /^invalid -s .*0: expected a whole number, 1 or more/],
    ['-r 0 -s 8:8k:100:1025', /^invalid -s .*1025: expected a whole number from 1 to 1024; /],
    ['-r 0 -s 8:8k:9999999999', /^invalid -s .*9999999999: expected a whole number/],
    ['-s 0 -n 0', /^-s 0 and -n 0 leave nothing to do; leave one of them out$/],
    ['-s 0 -n 0 -f', /^-s 0 and -n 0 leave nothing to do/],
    ['-s 0 -n abc', /^invalid -n abc: expected a whole number/],
    ['-s 0 -n -1', /^invalid -n -1: expected a whole number/],
    ['-s 0 -n 1.5', /^invalid -n 1\.5: expected a whole number/],
    ['-s 0 -n 1:abc', /^invalid -n .*abc/],
    ['-s 0 -n 1:-3', /^invalid -n .*-3/],
    ['-s 0 -n 1:10:abc', /^invalid -n .*abc/],
    ['-s 0 -n 1:10:-1', /^invalid -n .*-1/],
    ['-s 0 -n 1:10:20', /^-n 1:10:20: the minimum size 20 is larger than the maximum 10; /],
    ['-s 0 -n 1:0:1', /^-n 1:0:1: the minimum size 1 is larger/],
    ['-s 0 -n 1:0:0:abc', /^invalid -n .*abc/],
    ['-s 0 -n 1:0:0:-1', /^invalid -n .*-1/],
    ['-s 0 -n 1:0:0:100000', /^invalid -n .*100000: expected a whole number from 0 to 99999; /],
    ['-s 0 -n 1:10:10:1:abc', /^invalid -n .*abc/],
    ['-s 0 -n 1:10:10:1:300', /^invalid -n chunk 300: expected a power of two from 256 bytes to 1 MiB; /],
    ['-s 0 -n 1:10:10:1:768', /^invalid -n chunk 768: expected a power of two from 256 bytes to 1 MiB; /],
    ['-s 0 -n 1:10:10:1:128', /^invalid -n chunk 128: expected a power of two from 256 bytes to 1 MiB; /],
    ['-s 0 -n 1:10:10:1:2m', /^invalid -n chunk 2m: expected a power of two from 256 bytes to 1 MiB; /],
    ['-s 0 -n 1:0:0:0:0:0', /^invalid -n 1:0:0:0:0:0: expected N\[:max\[:min\[:dirs\[:chunk\]\]\]\]; /],
    ['-s 0 -n 1000000', /^invalid -n 1000000: /],
    ['-fabc', /^invalid -f ?abc: expected a whole number/],
    ['-f-1', /^invalid -f ?-1: expected a whole number/],
    ['-f1.5', /^invalid -f ?1\.5: expected a whole number/],
    ['-r abc', /^invalid -r abc: expected a whole number, 0 or more; /],
    ['-r -1', /^invalid -r -1: expected a whole number, 0 or more; /],
    ['-c abc', /^invalid -c abc: expected a whole number/],
    ['-c 0', /^invalid -c 0: expected a whole number/],
    ['-c -1', /^invalid -c -1: expected a whole number/],
    ['-c 1.5', /^invalid -c 1\.5: expected a whole number/],
    ['-c 1025', /^invalid -c 1025: expected a whole number from 1 to 1024; for example, -c 4$/],
    ['-x abc', /^invalid -x abc: expected a whole number/],
    ['-x 0', /^invalid -x 0: expected a whole number/],
    ['-x -1', /^invalid -x -1: expected a whole number/],
    ['-z abc', /^invalid -z abc: expected a whole number/],
    ['-z -1', /^invalid -z -1: expected a whole number/],
    ['-z 1.5', /^invalid -z 1\.5: expected a whole number/],
    ['-Z /no/such', /^-Z \/no\/such cannot be read: no such file or directory \(ENOENT\); /],
    ['-p 0', /^-p 0 is not a number of processes; /],
    ['-p abc', /^invalid -p abc: expected a whole number/],
    ['-p -2', /^invalid -p -2: expected a whole number/],
    ['-p 1.5', /^invalid -p 1\.5: expected a whole number/],
  ])('%s', (line, words) => {
    expect(lineOf(line)).toMatch(words);
  });

  test.each(['-d', '-s', '-n', '-c', '-r', '-x', '-z', '-Z', '-p'])('an empty value of %s', (flag) => {
    expect(lineOf([flag, ''])).toMatch(new RegExp(`^(?:${flag} "" |invalid ${flag} "": )`));
  });

  test.each(['-d', '-s', '-n', '-c', '-r', '-x', '-m', '-u', '-g', '-y', '-z', '-Z', '-p'])(
    '%s without its value',
    (flag) => {
      expect(lineOf([flag])).toMatch(new RegExp(`^${flag} has no value; `));
      expect(lineOf(['-q', flag])).toMatch(new RegExp(`^${flag} has no value; `));
    },
  );

  test.each(['-k', '-S', '-o', '-v', '-1', '-?', '-qk', '-bDk'])('the unknown flag %s', (flag) => {
    expect(lineOf([flag])).toMatch(/^there is no flag "?-[kSov1?]"?; the flags are -d -s -n -f -r -b -D /);
  });

  test.each(['--size=8', '--direct', '--json', '--phases'])(
    '%s, because bonnie++ has no long flags',
    (word) => {
      expect(lineOf(['-r', '0', '-s', '8', word])).toMatch(/^(unknown option|there is no) /);
    },
  );

  test.each([
    [['disk'], 'disk'],
    [['-q', 'disk', '-f'], 'disk'],
    [['--', '-q'], '-q'],
    [['-'], '-'],
    [[''], '""'],
    [['-q', '\u001b[31m'], '"\\u001b[31m"'],
  ])('the extra argument of %j', (args, argument) => {
    expect(lineOf(['-r', '0', '-s', '8', ...args])).toBe(
      `there is no command or argument ${argument}; see gobonnie bonnie++ --help`,
    );
  });

  test('a value with control characters, which it escapes', () => {
    expect(() => requestOf(['-s', '\u001b[31m'])).toThrow(
      gobonnieErrorWith(
        'option-invalid',
        'invalid -s "\\u001b[31m": expected MiB[:chunk[:seeks[:seekers]]]; for example, -s 64:8k:4096:3',
      ),
    );
  });
});
