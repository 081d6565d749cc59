import { describe, expect, test } from 'vitest';
import { bonnie } from '../../../src/cli/compat/bonnie.js';
import { requestFrom } from '../../../src/cli/dispatch.js';
import type { RunEvent } from '../../../src/report/events/event.js';
import { GIB, MIB } from '../../../src/text/units.js';
import { measurementWith, planWith } from '../../support/data/fixtures.js';
import { readHelp, rejectionLine, parseRequest as requestIn } from './requests.js';

const requestOf = (...args: readonly string[]) => requestIn(bonnie, args);

function inputOf(...args: readonly string[]) {
  return requestOf(...args).input;
}

test('gobonnie bonnie parses the flags of Bonnie', async () => {
  expect(await requestFrom(['bonnie', '-s', '8'])).toMatchObject({
    input: { size: 8 / 1024 },
    formats: ['bonnie'],
  });
});

describe('without flags', () => {
  test('it measures 100 MiB in one file in the current directory, in chunks of 16384 bytes, with 4000 seeks by three threads', () => {
    expect(inputOf()).toEqual({
      dir: '.',
      size: 100 / 1024,
      unique: false,
      fsync: false,
      byteMode: 'locked',
      seekThreads: 3,
      seeks: 4000,
      dataFiles: 1,
      direct: false,
      threads: 1,
      blockSize: 16_384,
      ioSize: 16_384,
      cache: 'keep',
      phases: ['putc', 'rewrite', 'write', 'getc', 'read', 'seeks'],
    });
  });

  test('it runs once, without a label, and transfers the whole file byte by byte', () => {
    const plan = planWith(inputOf());
    expect(plan.options).toMatchObject({ runs: 1, seconds: 0 });
    expect(plan.options.label).toBeUndefined();
    expect(plan.options.untilStable).toBeUndefined();
    expect(plan.totalBytes).toBe(100 * MIB);
    expect(plan.byteWiseTotalBytes).toBe(100 * MIB);
    expect(plan.slices).toEqual([{ index: 0, file: 'bonnie.0', offsetBytes: 0, lengthBytes: 100 * MIB }]);
  });

  test("it prints Bonnie's table and messages", async () => {
    const request = requestOf();
    expect(request.formats).toEqual(['bonnie']);
    const event: RunEvent = { type: 'phase-end', run: 1, measurement: measurementWith({ phase: 'putc' }) };
    expect((await request.loadLogFormatter())(event, 'normal').join()).toMatch(
      /^Writing with putc\(\)\.\.\./,
    );
  });

  test('it has the usual exit code after a signal, and prepares nothing', () => {
    expect(requestOf().abortedExitCode).toBeUndefined();
    expect(requestOf().prepare).toBeUndefined();
  });
});

describe('a flag', () => {
  test.each([
    ['d', '/mnt/disk', { dir: '/mnt/disk' }],
    ['d', '-odd', { dir: '-odd' }],
    ['s', '8', { size: 8 / 1024 }],
    ['s', '1024', { size: 1 }],
    ['m', 'gum07', { label: 'gum07' }],
    ['m', 'a <b>, "c"', { label: 'a <b>, "c"' }],
    ['p', '5', { seekThreads: 5 }],
    ['p', '1', { seekThreads: 1 }],
    ['S', '100', { seeks: 100 }],
    ['v', '3', { dataFiles: 3, size: 300 / 1024 }],
  ])('-%s %s sets its option, with a space or =', (letter, value, input) => {
    expect(inputOf(`-${letter}`, value)).toEqual({ ...inputOf(), ...input });
    expect(inputOf(`-${letter}=${value}`)).toEqual({ ...inputOf(), ...input });
  });

  test.each([
    ['-r', { unique: true }],
    ['-y', { fsync: true }],
    ['-u', { byteMode: 'unlocked' }],
    ['-o_direct', { direct: true }],
    ['--o_direct', { direct: true }],
  ])('%s sets its option', (flag, input) => {
    expect(inputOf(flag)).toEqual({ ...inputOf(), ...input });
  });

  test.each([
    [['-html'], 'bonnie-html'],
    [['--html'], 'bonnie-html'],
    [['-f', 'html'], 'bonnie-html'],
    [['-f=html'], 'bonnie-html'],
    [['-f', 'txt'], 'bonnie'],
    [['-f', 'html', '-f', 'txt'], 'bonnie'],
    [['-f', 'txt', '-html'], 'bonnie-html'],
  ])('%j selects the format %s', (args, format) => {
    expect(requestOf(...args).formats).toEqual([format]);
    expect(requestOf(...args).input).toEqual(inputOf());
  });

  test('-u makes the messages name putc_unlocked()', async () => {
    const event: RunEvent = { type: 'phase-end', run: 1, measurement: measurementWith({ phase: 'putc' }) };
    expect((await requestOf('-u').loadLogFormatter())(event, 'normal').join()).toContain('putc_unlocked()');
  });

  test('-v N plans N files, each with the size of -s', () => {
    const { slices, totalBytes } = planWith(inputOf('-s', '7', '-v', '3'));
    expect(totalBytes).toBe(21 * MIB);
    expect(slices.map(({ file, lengthBytes }) => [file, lengthBytes])).toEqual(
      ['bonnie.0', 'bonnie.1', 'bonnie.2'].map((file) => [file, 7 * MIB]),
    );
  });

  test('-s N measures exactly N MiB', () => {
    for (const megabytes of [1, 3, 7, 99, 1000, 1023, 12_345]) {
      const { totalBytes } = planWith(inputOf('-s', String(megabytes)));
      expect(totalBytes).toBe(megabytes * MIB);
    }
  });

  test("all of Garloff's flags can be combined", () => {
    const args = '-d /mnt -s 64 -m gum07 -r -y -u -p 2 -S 8000 -v 2 -o_direct -html'.split(' ');
    expect(requestOf(...args)).toMatchObject({
      input: {
        dir: '/mnt',
        size: (128 * MIB) / GIB,
        label: 'gum07',
        unique: true,
        fsync: true,
        byteMode: 'unlocked',
        seekThreads: 2,
        seeks: 8000,
        dataFiles: 2,
        direct: true,
      },
      formats: ['bonnie-html'],
    });
  });

  test('a repeated flag has its last value', () => {
    expect(inputOf('-s', '1', '-s', '2').size).toBe(2 / 1024);
  });
});

describe('the help', () => {
  const text = readHelp(bonnie);

  test.each([
    ['-d', 'default: .'],
    ['-s', 'default: 100'],
    ['-m', "default: the host's name"],
    ['-f', 'txt or html'],
    ['-html', 'the same as -f html'],
    ['-r', 'random'],
    ['-y', 'sync'],
    ['-u', 'putc_unlocked'],
    ['-p', 'default: 3'],
    ['-S', 'default: 4000'],
    ['-v', 'default: 1'],
    ['-o_direct', 'page cache'],
  ])('describes %s with %s', (flag, words) => {
    expect(text.split('\n').find((line) => new RegExp(`^ +-?${flag}\\b`).test(line))).toContain(words);
  });

  test('mentions the cost of byte-wise code in Node, and has no line over 100 characters', () => {
    expect(text).toMatch(/^Usage: gobonnie bonnie /);
    expect(text.replace(/\s+/g, ' ')).toContain('the cost of byte-wise code in Node');
    expect(text.split('\n').filter((line) => line.length > 100)).toEqual([]);
  });

  test.each([[['-help']], [['--help']], [['-s', '0', '-h']]])('is printed by %j', (args) => {
    expect(bonnie.parse(args)).toEqual({ type: 'print', text });
  });
});

const lineOf = (...args: readonly string[]) => rejectionLine(bonnie, args);

describe('bonnie rejects in one line:', () => {
  test.each(['-s', '-p', '-S', '-v'])('%s with a value other than a whole number above 0', (flag) => {
    for (const value of ['', '0', '-1', '1.5', 'abc', '1k', '1g', '0x10', '1e3', ' 1', '9007199254740993'])
      expect(lineOf(flag, value)).toMatch(
        new RegExp(
          `^invalid ${flag} (${value}|"${value}"): expected a whole number(, 1 or more| from 1 to \\d+); for example, ${flag} \\d+$`,
        ),
      );
  });

  test.each([
    ['-p', '1025', 'invalid -p 1025: expected a whole number from 1 to 1024; for example, -p 3'],
    ['-v', '1025', 'invalid -v 1025: expected a whole number from 1 to 1024; for example, -v 1'],
    [
      '-S',
      '1073741825',
      'invalid -S 1073741825: expected a whole number from 1 to 1073741824; for example, -S 4000',
    ],
    ['-f', 'xml', '-f xml is neither txt nor html; pass -f txt or -f html'],
    ['-f', 'HTML', '-f HTML is neither txt nor html; pass -f txt or -f html'],
    ['-f', '', '-f "" is neither txt nor html; pass -f txt or -f html'],
    ['-d', '', 'invalid -d "": expected the path of a directory; for example, -d /mnt/disk'],
    [
      '-m',
      'two\nlines',
      'invalid -m "two\\nlines": expected a name without line breaks; for example, -m goldhost',
    ],
  ])('%s %j', (flag, value, line) => {
    expect(lineOf(flag, value)).toBe(line);
  });

  test('an invalid -f beside -html', () => {
    expect(lineOf('-html', '-f', 'xml')).toBe('-f xml is neither txt nor html; pass -f txt or -f html');
  });

  test('a -s that is too large, naming the maximum for the number of files', () => {
    expect(lineOf('-s', '9000000000000')).toMatch(
      /^invalid -s 9000000000000: expected a whole number from 1 to 8589934592; /,
    );
    expect(lineOf('-s', '8589934592', '-v', '2')).toMatch(
      /^invalid -s 8589934592: expected .* to 4294967296; /,
    );
  });

  test.each(['-d', '-s', '-m', '-f', '-p', '-S', '-v'])('%s without its value', (flag) => {
    expect(lineOf(flag)).toMatch(new RegExp(`^${flag} has no value; `));
  });

  test.each(['-k', '-x', '-b', '-n', '--json', '--phases', '-htm', '-o'])('the unknown flag %s', (flag) => {
    expect(lineOf(flag)).toMatch(/^unknown option --?[\w=]+; (see gobonnie bonnie --help|did you mean )/);
  });

  test.each([
    [['disk'], 'disk'],
    [['-s', '1', '2'], '2'],
    [['-html', 'true'], 'true'],
    [['-y', '-'], '-'],
    [['--', '-s'], '-s'],
    [[''], '""'],
  ])('the extra argument of %j', (args, argument) => {
    expect(lineOf(...args)).toBe(`there is no command or argument ${argument}; see gobonnie bonnie --help`);
  });

  test.each(['-r', '-y', '-u', '-html', '-o_direct'])(
    '%s with a value that is neither true nor false',
    (flag) => {
      expect(lineOf(`${flag}=maybe`)).toContain('=maybe is neither true nor false; pass ');
    },
  );
});
