import { lstatSync, readdirSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { version } from '../../../src/version.js';
import { findScratch, makeDirectory, makePublicDirectory } from '../../support/disks/directory.js';
import { type ProcessOutput, runInProcess } from '../../support/programs/in-process.js';
import { ENTRY, type ExitResult, runGobonnie, startProcess } from '../../support/programs/program.js';
import { startGobonnieForTest } from '../../support/programs/running-program.js';
import { NOBODY, requireNobody, requireTools } from '../../support/tools.js';
import { interruptPhase } from '../commands/interrupt-phase.js';
import { splitLines, stableLines, USER_FLAGS } from './run-bonnie-plus-plus.js';

/** The smallest valid size, in KiB. */
const MIN_SIZE = '4096';
const TITLES = ['write', 'read', 'putc', 'getc', 'putcU', 'getcU'];
const DONE_LINES = TITLES.map((title) => `${title}...done`);
const STOPPED = 'gobonnie: stopped by SIGINT; the temporary files are removed';
const HOST = os.hostname();

let dir = '';
beforeEach(() => {
  dir = makeDirectory();
});
afterEach(() => expect(readdirSync(dir)).toEqual([]));

function getcPutc(...flags: readonly string[]): Promise<ExitResult> {
  return runGobonnie(['getc-putc', ...USER_FLAGS, '-d', dir, ...flags]);
}

/** Returns the cells of a row after its label: a space and six characters each. */
function cellsOf(row = ''): readonly string[] {
  return row.slice('Version 1.0.0        '.length).match(/.{7}/g) ?? [];
}

describe('a run', () => {
  test('prints a header, a row of rates or plus signs, and the same row as CSV', async () => {
    const { stdout, stderr, exitCode } = await getcPutc('-s', MIN_SIZE, '-m', 'gum,07');
    expect(exitCode).toBe(0);
    const [header, row, csv = '', ...more] = splitLines(stdout);
    expect(more).toEqual([]);
    expect(header?.startsWith(`Version ${version} `)).toBe(true);
    expect(cellsOf(header)).toEqual(['  write', '   read', '   putc', '   getc', '  putcU', '  getcU']);
    expect(row).toMatch(/^gum,07 {15}( +\d+| \+{6}){6}$/);
    const cells = cellsOf(row);
    expect(cells).toHaveLength(6);
    for (const cell of cells) expect(cell).toMatch(/^( +[1-9]\d*| \+{6})$/);
    // A comma in the label must not split the line.
    expect(csv.split(',')).toEqual(['gum 07', ...cells.map((cell) => cell.trim())]);
    expect(stableLines(stderr)).toEqual(DONE_LINES);
  });

  test('-qs4m prints nothing on stderr, and labels the row with the host', async () => {
    const { stdout, stderr, exitCode } = await getcPutc('-qs4m');
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(splitLines(stdout)).toHaveLength(3);
    expect(splitLines(stdout)[1]?.startsWith(`${HOST} `)).toBe(true);
    expect(splitLines(stdout)[2]?.startsWith(`${HOST},`)).toBe(true);
  });
});

describe('-s', () => {
  beforeEach(requireTools('prlimit'));

  /** Runs getc-putc with a limit on the size of files. */
  const runLimited = (bytes: number, size: string) =>
    runGobonnie(['getc-putc', '-q', ...USER_FLAGS, '-d', dir, '-s', size], {
      as: ['prlimit', `--fsize=${bytes}`],
    });

  test.each([
    ['4112', 4112],
    ['5m', 5 * 1024],
  ])('%s writes a file of %i KiB', async (size, kib) => {
    expect(await runLimited(kib * 1024, size)).toMatchObject({ stderr: '', exitCode: 0 });
    const { stdout, stderr, exitCode } = await runLimited(kib * 1024 - 1, size);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
    expect(stderr).toMatch(/^gobonnie: putc failed in [^\n]*\(EFBIG\); [^\n]+\n$/);
  });
});

describe('beside the original getc_putc', () => {
  beforeEach(requireTools('getc_putc'));

  /** Drops the two columns of the tests without threads, which gobonnie lacks. */
  const dropNoThreadColumns = <Cell>(cells: readonly Cell[]) =>
    cells.filter((_, column) => column !== 2 && column !== 3);

  test('the table has the same layout, and the CSV line the same fields', async () => {
    const flags = ['-s', MIN_SIZE, '-m', 'exactly-twenty-chars'];
    const real = await startProcess('getc_putc', [...USER_FLAGS, '-d', dir, ...flags]).exitResult;
    const [header = '', row = ''] = splitLines(real.stderr.slice(real.stderr.indexOf('Version ')));
    const [ourHeader = '', ourRow = '', ourLine = ''] = splitLines((await getcPutc(...flags)).stdout);

    const labelWidth = header.indexOf('  write');
    expect(ourHeader.indexOf('  write')).toBe(labelWidth);
    expect(ourRow.slice(0, labelWidth)).toBe(row.slice(0, labelWidth));
    expect(cellsOf(ourHeader)).toEqual(dropNoThreadColumns(cellsOf(header)));
    expect(header).toHaveLength(ourHeader.length + 2 * '  write'.length);
    // The machine's speed decides which tests are too short for a rate.
    expect([cellsOf(row).length, cellsOf(ourRow).length]).toEqual([8, 6]);
    expect(row).toHaveLength(ourRow.length + 2 * '  write'.length);

    const [label, ...rates] = splitLines(real.stdout).at(-1)?.split(',') ?? [];
    const [ourLabel, ...ourRates] = ourLine.split(',');
    expect(ourLabel).toBe(label);
    expect([rates.length, ourRates.length]).toEqual([8, 6]);
    for (const cell of [...cellsOf(row), ...cellsOf(ourRow)]) expect(cell).toMatch(/^( +\d+| \+{6})$/);
    for (const rate of [...rates, ...ourRates]) expect(rate).toMatch(/^(\d+|\+{6})$/);
  });
});

describe('getc-putc rejects in one line, and writes nothing, for', () => {
  const expectRejection = ({ stdout, stderr, exitCode }: ProcessOutput, line: RegExp) => {
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toMatch(/^gobonnie: [^\n]+; [^\n]+\n$/);
    expect(stderr).toMatch(line);
  };

  const WRONG_SIZES = ['x', '', '0', '-1', '-8m', '4095', '3m', '1.5m', '4096k', '8k', '4m4', 'm', '4e6'];
  test.each([...WRONG_SIZES, '9'.repeat(30)])('-s %j', async (size) => {
    expectRejection(
      await runInProcess(['getc-putc', ...USER_FLAGS, '-d', dir, '-s', size]),
      /^gobonnie: invalid -s .*: expected a whole number of KiB from 4096/,
    );
  });

  test('a -s larger than the free space, naming a size that fits', async () => {
    expectRejection(
      await getcPutc('-s', '999999999m'),
      /^gobonnie: -s 1023999998976 needs .*; .*pass at most -s \d+ or /,
    );
  });

  test.each<[string, readonly string[], RegExp]>([
    ['an unknown flag', ['-x'], /there is no flag -x/],
    ['a flag without a value', ['-s'], /-s has no value/],
    ['an argument', ['extra'], /no command or argument extra/],
    ['an unknown user', ['-u', 'no-such-user'], /-u no-such-user /],
    ['an unknown group', ['-g', 'no-such-group'], /-g no-such-group /],
    ['a label of two lines', ['-m', 'one\ntwo'], /-m /],
  ])('%s', async (_, flags, line) => {
    expectRejection(await runInProcess(['getc-putc', ...USER_FLAGS, '-d', dir, ...flags]), line);
  });

  test('a missing directory, which it does not create', async () => {
    const missing = path.join(dir, 'missing');
    expectRejection(
      await runGobonnie(['getc-putc', ...USER_FLAGS, '-s', MIN_SIZE, '-d', missing]),
      /-d \S+\/missing /,
    );
  });

  test('a directory that is a file', async () => {
    expectRejection(
      await runGobonnie(['getc-putc', ...USER_FLAGS, '-s', MIN_SIZE, '-d', ENTRY]),
      /-d \S+gobonnie\.cjs /,
    );
  });
});

describe('the user', () => {
  describe('as root', () => {
    beforeEach(requireTools('root'));

    test('must be set with -u or -g', async () => {
      const { stdout, stderr, exitCode } = await runGobonnie(['getc-putc', '-d', dir, '-s', MIN_SIZE]);
      expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
      expect(stderr).toBe(
        'gobonnie: getc-putc does not run as root without -u; pass -u root, or -u nobody to run as that user\n',
      );
    });

    test.each([
      [['-u', 'root'], 0, 0],
      [['-u', '0:65534'], 0, 65_534],
      [['-u', '0', '-g', '65534'], 0, 65_534],
      [['-g', '65534'], 0, 65_534],
    ] as const)('owns the file with %j', async (userFlags, uid, gid) => {
      const program = startGobonnieForTest(['getc-putc', ...userFlags, '-d', dir, '-s', '512m']);
      await vi.waitUntil(
        () => findScratch(dir) && readdirSync(findScratch(dir) ?? '').includes('bonnie.0'),
        100_000,
      );
      const stats = lstatSync(path.join(findScratch(dir) ?? '', 'bonnie.0'));
      program.kill('SIGINT');
      await program.exitResult;
      expect([stats.uid, stats.gid]).toEqual([uid, gid]);
    });
  });

  describe('as nobody', () => {
    beforeEach(requireNobody);

    const asNobody = (...flags: readonly string[]) =>
      runGobonnie(['getc-putc', '-q', '-s', MIN_SIZE, '-d', makePublicDirectory(), ...flags], NOBODY);

    test.each([[[]], [['-u', 'nobody']]])('may measure with %j', async (userFlags) => {
      const { stdout, stderr, exitCode } = await asNobody(...userFlags);
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
      expect(splitLines(stdout)).toHaveLength(3);
    });

    test('cannot become root', async () => {
      const { stdout, stderr, exitCode } = await asNobody('-u', 'root');
      expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
      expect(stderr).toMatch(/^gobonnie: -u root needs root; /);
    });
  });
});

describe('Ctrl-C', () => {
  describe('during one-byte calls', () => {
    beforeEach(requireTools('strace'));

    test.each([
      ['write', 'pwrite64', [], []],
      ['read', 'pread64', [], ['write...done']],
      ['read', 'pread64', ['-q'], []],
    ])('in %s (%s, %j) leaves no files and prints nothing on stdout', async (_, calls, quiet, messages) => {
      const output = await interruptPhase(
        { calls, from: 60 },
        (directory) => ['getc-putc', ...USER_FLAGS, ...quiet, '-d', directory, '-s', '4m'],
        { exitCode: 130, stopped: STOPPED },
      );
      expect(output).toEqual({ stdout: '', messages });
    });
  });

  test('in a later variant leaves no files, and prints the complete variants', async () => {
    const program = startGobonnieForTest(['getc-putc', ...USER_FLAGS, '-d', dir, '-s', '100m']);
    // The one-byte calls write only a 64th of the size.
    await vi.waitUntil(() => largestFileBytes(findScratch(dir)) > 2 * 1024 ** 2, {
      timeout: 100_000,
      interval: 5,
    });
    program.kill('SIGINT');
    const { stdout, stderr, exitCode } = await program.exitResult;
    expect(exitCode).toBe(130);
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^Version \S+ +write +read$/),
      expect.stringMatching(/^\S+ +\S+ +\S+$/),
      expect.stringMatching(/^[^,]+,[^,]+,[^,]+$/),
      '',
    ]);
    const messages = stableLines(stderr);
    expect(messages.slice(0, 2)).toEqual(DONE_LINES.slice(0, 2));
    expect(messages.at(-1)).toBe(STOPPED);
  });
});

/** Returns the size of the largest file in the directory. */
function largestFileBytes(scratch: string | undefined): number {
  try {
    const files = scratch ? readdirSync(scratch).map((name) => path.join(scratch, name)) : [];
    return Math.max(0, ...files.map((file) => statSync(file).size));
  } catch {
    // The program has removed the directory.
    return 0;
  }
}

test('-h prints the flags', async () => {
  const { stdout, stderr, exitCode } = await runGobonnie(['getc-putc', '-h']);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  for (const letter of 'dsmqugh') expect(stdout).toMatch(new RegExp(`^  -${letter}[ ,]`, 'm'));
});
