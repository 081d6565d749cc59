import { lstatSync, readdirSync, type Stats } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { getcPutc } from '../../../src/cli/compat/getc-putc.js';
import { version } from '../../../src/version.js';
import { findScratch, makeDirectory } from '../../support/disks/directory.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { type ExitResult, runGobonnie, startProcess } from '../../support/programs/program.js';
import { startGobonnieForTest } from '../../support/programs/running-program.js';
import { requireTools } from '../../support/tools.js';
import { defaultsInHelp } from './requests.js';
import { splitLines, stableLines, USER_FLAGS } from './run-bonnie-plus-plus.js';

/** The smallest valid size, in KiB. */
const MIN_SIZE = '4096';
const TITLES = ['write', 'read', 'putc', 'getc', 'putcU', 'getcU'];
const DONE_LINES = TITLES.map((title) => `${title}...done`);

let dir = '';
beforeEach(() => {
  dir = makeDirectory();
});
afterEach(() => expect(readdirSync(dir)).toEqual([]));

function measure(...flags: readonly string[]): Promise<ExitResult> {
  return runGobonnie(['getc-putc', ...USER_FLAGS, '-d', dir, ...flags]);
}

/** Returns the cells of a row after its label: a space and six characters each. */
function cellsOf(row = ''): readonly string[] {
  return row.slice('Version 1.0.0        '.length).match(/.{7}/g) ?? [];
}

test('a run prints a header, a row of rates or plus signs, and the same row as CSV', async () => {
  const { stdout, stderr, exitCode } = await measure('-s', MIN_SIZE, '-m', 'gum,07');
  expect(exitCode).toBe(0);
  const [header, row, csv = '', ...more] = splitLines(stdout);
  expect(more).toEqual([]);
  expect(header?.startsWith(`Version ${version} `)).toBe(true);
  expect(cellsOf(header)).toEqual(TITLES.map((title) => title.padStart(7)));
  expect(row).toMatch(/^gum,07 {15}( +[1-9]\d*| \+{6}){6}$/);
  expect(csv.split(',')).toEqual(['gum 07', ...cellsOf(row).map((cell) => cell.trim())]);
  expect(stableLines(stderr)).toEqual(DONE_LINES);
});

test('a run with -q prints nothing on stderr, and labels the row with the host', async () => {
  const { stdout, stderr, exitCode } = await measure('-qs4m');
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  expect(splitLines(stdout)[1]?.startsWith(`${os.hostname()} `)).toBe(true);
  expect(splitLines(stdout)[2]?.startsWith(`${os.hostname()},`)).toBe(true);
});

describe('-s', () => {
  beforeEach(requireTools('prlimit'));

  test.each([
    ['4112', 4112],
    ['5m', 5 * 1024],
  ])('%s writes a file of %i KiB', async (size, kib) => {
    const args = ['getc-putc', '-q', ...USER_FLAGS, '-d', dir, '-s', size];
    const runLimited = (bytes: number) => runGobonnie(args, { as: ['prlimit', `--fsize=${bytes}`] });
    expect(await runLimited(kib * 1024)).toMatchObject({ stderr: '', exitCode: 0 });
    const { stdout, stderr, exitCode } = await runLimited(kib * 1024 - 1);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
    expect(stderr).toMatch(/^gobonnie: putc failed in [^\n]*\(EFBIG\); [^\n]+\n$/);
  });
});

describe('beside the original getc_putc', () => {
  beforeEach(requireTools('getc_putc'));

  // The machine's speed decides which tests are too short for a rate, so only the layout is compared.
  test('the table has the same layout, and the CSV line the same fields, without the tests without threads', async () => {
    const flags = ['-s', MIN_SIZE, '-m', 'exactly-twenty-chars'];
    const real = await startProcess('getc_putc', [...USER_FLAGS, '-d', dir, ...flags]).exitResult;
    const [header = '', row = ''] = splitLines(real.stderr.slice(real.stderr.indexOf('Version ')));
    const [ourHeader = '', ourRow = '', ourLine = ''] = splitLines((await measure(...flags)).stdout);
    const labelWidth = header.indexOf('  write');
    expect(ourHeader.indexOf('  write')).toBe(labelWidth);
    expect(ourRow.slice(0, labelWidth)).toBe(row.slice(0, labelWidth));
    expect(cellsOf(ourHeader)).toEqual(cellsOf(header).toSpliced(2, 2));
    expect([cellsOf(row).length, cellsOf(ourRow).length]).toEqual([8, 6]);
    const line = splitLines(real.stdout).at(-1) ?? '';
    expect(line).toMatch(/^exactly-twenty-chars(,(\d+|\+{6})){8}$/);
    expect(ourLine).toMatch(/^exactly-twenty-chars(,(\d+|\+{6})){6}$/);
  });
});

describe('getc-putc rejects in one line, and writes nothing, for', () => {
  test.each<[string, readonly string[]]>([
    ...['', '-8m', '4095', '3m', '1.5m', '4096k', '4e6', '9'.repeat(30)].map((size): [string, string[]] => [
      'invalid -s [^ ]+: expected a whole number of KiB from 4096, or of MiB from 4m; for example, -s 4m',
      ['-s', size],
    ]),
    ['-s 1023999998976 needs .*; .*pass at most -s [0-9]+ or .*', ['-s', '999999999m']],
    ['unknown option -x; .*', ['-x']],
    ['there is no command or argument extra; .*', ['extra']],
    ['-g no-such-group .*; .*', ['-g', 'no-such-group']],
    ['invalid -m .*; .*', ['-m', 'one\ntwo']],
  ])('%s: %j', async (line, flags) => {
    const userFlags = flags.includes('-g') ? [] : USER_FLAGS;
    const { stdout, stderr, exitCode } = await runInProcess(['getc-putc', ...userFlags, '-d', dir, ...flags]);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toMatch(new RegExp(`^gobonnie: ${line}\\n$`));
  });
});

test('as root, the file belongs to the user and group of -u and -g', async (context) => {
  requireTools('root')(context);
  const flags = ['-u', '0', '-g', '65534', '-d', dir, '-s', '512m'];
  const program = startGobonnieForTest(['getc-putc', ...flags]);
  const stats = await vi.waitUntil(() => largestFile(findScratch(dir)), 100_000);
  program.kill('SIGINT');
  await program.exitResult;
  expect([stats?.uid, stats?.gid]).toEqual([0, 65_534]);
});

test('Ctrl-C in a later variant leaves no files, and prints the complete variants', async () => {
  const program = startGobonnieForTest(['getc-putc', ...USER_FLAGS, '-d', dir, '-s', '100m']);
  // The one-byte calls write only a 64th of the size.
  await vi.waitUntil(() => (largestFile(findScratch(dir))?.size ?? 0) > 2 * 1024 ** 2, {
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
  expect(messages.at(-1)).toBe('gobonnie: stopped by SIGINT; the temporary files are removed');
});

/** Returns the facts of the largest data file. Undefined before the program creates one, or after it removes it. */
function largestFile(scratch = ''): Stats | undefined {
  try {
    return readdirSync(scratch)
      .filter((name) => name.startsWith('bonnie.'))
      .map((name) => lstatSync(path.join(scratch, name)))
      .toSorted((one, other) => other.size - one.size)[0];
  } catch {
    return undefined;
  }
}

test('the help shows the defaults', () => {
  expect(defaultsInHelp(getcPutc)).toEqual(['.', '524288', "the host's name"]);
});
