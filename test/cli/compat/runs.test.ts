import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BONNIE_PLUS_PLUS_CSV_HEADER } from '../../../src/format/compat/bonnie-plus-plus-csv.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { runGobonnie } from '../../support/programs/program.js';
import {
  runBonniePlusPlus,
  splitLines,
  stableLines,
  startPrompting,
  USER_FLAGS,
} from './run-bonnie-plus-plus.js';

let dir = '';
beforeEach(() => {
  dir = makeDirectory();
});
afterEach(() => expect(readdirSync(dir)).toEqual([]));

test('gobonnie gobonniego prints three lines for each run, and no statistics, which gobonniego lacks', async () => {
  const flags = ['-dir', dir, '-size=0.01', '-iops-duration=0.1', '-procs', '2', '-runs', '2'];
  const { stdout } = await runInProcess(['gobonniego', ...flags]);
  const run = 'Sequential Write MB/s: N\nSequential Read MB/s: N\nIOPS: N\n';
  expect(stdout.replaceAll(/: [\d.]+\n/g, ': N\n')).toBe(run.repeat(2));
});

test('gobonnie bonniego prints three lines in MiB', async () => {
  const flags = ['-dir', dir, '-size=0.01', '-iops-duration=0.1', '-procs', '2'];
  const { stdout, exitCode } = await runInProcess(['bonniego', ...flags]);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(
    /^Sequential Write MiB\/s: \d+\.\d\d\nSequential Read MiB\/s: \d+\.\d\d\nIOPS: \d+\n$/,
  );
});

test('gobonnie bonnie prints a header of three lines and a row, and the end of each phase, in order', async () => {
  const args = ['bonnie', '-d', dir, '-s', '2', '-m', 'gum07.7', '-S', '1000'];
  const { stdout, stderr, exitCode } = await runGobonnie(args);
  expect(exitCode).toBe(0);
  expect(splitLines(stdout)).toEqual([
    '              ---Sequential Output (nosync)--- ---Sequential Input-- --Rnd Seek-',
    '              -Per Char- --Block--- -Rewrite-- -Per Char- --Block--- --01k (03)-',
    'Machine    MB K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU   /sec %CPU',
    expect.stringMatching(/^gum07\. 1\* {3}2( +\d+ +\d+\.\d){5} +\d+\.\d +\d+\.\d$/),
  ]);
  expect(stableLines(stderr).map((line) => line.replace(/^(Bonnie).*|\.\.\. *done:.*%CPU$/, '$1'))).toEqual([
    'Bonnie',
    'Writing with putc()',
    'Rewriting',
    'Writing intelligently',
    'Reading with getc()',
    'Reading intelligently',
    "Seeker 1...Seeker 2...Seeker 3...start 'em...done...done...done...",
  ]);
});

describe('gobonnie bonnie++', () => {
  const QUICK = '-s 2:8k:500 -r 0 -n 0 -f';
  const IO_TITLES = / ------Sequential Output------ --Sequential Input- --Random-$/;
  const FILE_TITLES = / ------Sequential Create------ --------Random Create--------$/;
  const isCsv = (line: string) => line.startsWith('1.98,');

  test('prints the tables and then the CSV, and a line at the end of each test', async () => {
    const args = ['bonnie++', ...USER_FLAGS, '-d', dir, ...'-s 1:8k:500 -r 0 -n 1'.split(' ')];
    const { stdout, stderr, exitCode } = await runGobonnie(args);
    expect(exitCode).toBe(0);
    const lines = splitLines(stdout);
    expect(lines).toHaveLength(11);
    expect(lines[0]).toMatch(IO_TITLES);
    expect(lines[5]).toMatch(FILE_TITLES);
    expect(lines.map(isCsv).indexOf(true)).toBe(10);
    expect(stableLines(stderr)).toEqual([
      'Writing a byte at a time...done',
      'Writing intelligently...done',
      'Rewriting...done',
      'Reading a byte at a time...done',
      'Reading intelligently...done',
      "start 'em...done...done...done...done...done...",
      ...['sequential', 'random'].flatMap((order) => [
        `Create files in ${order} order...done.`,
        `Stat files in ${order} order...done.`,
        `Delete files in ${order} order...done.`,
      ]),
    ]);
  });

  test('-q prints only CSV on stdout, which includes the options, and only the tables on stderr', async () => {
    const flags = '-q -s 2:4k:500:2 -r 0 -n 1:300:20:2 -f -c 2 -b -D -z 7 -m gold,host';
    const { stdout, stderr, exitCode } = await runBonniePlusPlus(dir, flags);
    expect(exitCode).toBe(0);
    const [line = '', ...more] = splitLines(stdout);
    expect(more).toEqual([]);
    const fields = line.split(',');
    expect(fields).toHaveLength(50);
    expect(fields.slice(2, 9)).toEqual(['gold;host', '2', '7', '2M', '4k', '500', '2']);
    // The per-byte tests did not run.
    expect([...fields.slice(9, 11), ...fields.slice(15, 17)]).toEqual(['', '', '', '']);
    expect(fields.slice(21, 25)).toEqual(['1', '300', '20', '2']);
    expect(splitLines(stderr)).toHaveLength(10);
    expect(splitLines(stderr)[0]).toMatch(IO_TITLES);
    expect(splitLines(stderr)[5]).toMatch(FILE_TITLES);
  });

  test('-q -x 2 prints a header and two lines of CSV, and no table anywhere', async () => {
    const { stdout, stderr } = await runBonniePlusPlus(dir, `-q -x 2 ${QUICK}`);
    const [header, ...lines] = splitLines(stdout);
    expect(header).toBe(BONNIE_PLUS_PLUS_CSV_HEADER);
    expect(lines.map(isCsv)).toEqual([true, true]);
    expect(stableLines(stderr)).toEqual([]);
  });

  test('continues when the terminal hangs up', async () => {
    const program = startPrompting(dir, QUICK);
    for (const phase of ['write', 'rewrite', 'read', 'seeks']) {
      await program.untilPrompt(phase);
      program.kill('SIGHUP');
      program.type('\n');
    }
    expect(await program.exitResult).toMatchObject({ exitCode: 0 });
  });
});

test.each([
  ['bonnie', ['-s', '1']],
  ['bonnie++', [...USER_FLAGS, '-q', '-r', '0', '-s', '1', '-n', '0']],
])('%s rejects a missing directory, which it does not create', async (command, flags) => {
  const missing = path.join(dir, 'not', 'mounted');
  const { stdout, stderr, exitCode } = await runInProcess([command, '-d', missing, ...flags]);
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  expect(stderr).toBe(
    `gobonnie: -d ${missing} does not exist; pass an existing directory; perhaps its disk is not mounted\n`,
  );
});

test('--format bonnie-bray prints its table, and a note names the phase that it does not show', async () => {
  const flags = ['--size', '0.002', '--iops-duration', '0.1', '--dir', dir];
  const { stdout, stderr, exitCode } = await runInProcess([...flags, '--format', 'bonnie-bray']);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^Machine +MB K\/sec/m);
  expect(stderr).toContain('--format bonnie-bray does not show iops\n');
});
