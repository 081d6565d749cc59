import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bonniePlusPlusCsvHeader } from '../../../src/format/compat/bonnie-plus-plus-csv.js';
import { DOCUMENT_KEYS } from '../../support/data/gobonniego-keys.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { runGobonnie, startProcess } from '../../support/programs/program.js';
import { requireTools } from '../../support/tools.js';
import {
  runBonniePlusPlus,
  splitLines,
  stableLines,
  startPrompting,
  USER_FLAGS,
} from './run-bonnie-plus-plus.js';

const QUICK = '-s 2:8k:500 -r 0 -n 0 -f';

let dir = '';
beforeEach(() => {
  dir = makeDirectory();
});
afterEach(() => expect(readdirSync(dir)).toEqual([]));

describe('gobonnie bonniego', () => {
  const argsOf = (...flags: readonly string[]) => [
    'bonniego',
    '-dir',
    dir,
    '-size=0.01',
    '-iops-duration=0.1',
    '-procs',
    '2',
    ...flags,
  ];
  const bonniego = (...flags: readonly string[]) => runInProcess(argsOf(...flags));
  const THREE_LINES = String.raw`Sequential Write MiB/s: \d+\.\d\d\nSequential Read MiB/s: \d+\.\d\d\nIOPS: \d+\n`;

  test('prints three lines, and no messages except warnings', async () => {
    const { stdout, stderr, exitCode } = await runGobonnie(argsOf());
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(new RegExp(`^${THREE_LINES}$`));
    expect(stableLines(stderr)).toEqual([]);
  });

  test('-runs 2 prints the three lines twice', async () => {
    expect((await bonniego('-runs', '2')).stdout).toMatch(new RegExp(`^(${THREE_LINES}){2}$`));
  });

  test('-v logs each phase with the time of day', async () => {
    const { stdout, stderr } = await bonniego('-v');
    expect(stdout).toMatch(new RegExp(`^${THREE_LINES}$`));
    const time = /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d /;
    for (const line of splitLines(stderr)) expect(line).toMatch(time);
    const [directoryLine, ...rest] = stableLines(stderr).map((line) => line.replace(time, ''));
    // Checked separately, because the name of a directory may end with a digit.
    expect(directoryLine).toMatch(/^Bonnie working directory: \S+\/gobonnie-\w{6}$/);
    expect(rest.map((line) => line.replace(/: .*\d$|\d+$/, ''))).toEqual([
      'Number of concurrent processes',
      'Total System RAM (MiB)',
      'Written (MiB)',
      'Duration (seconds)',
      'Read (MiB)',
      'Duration (seconds)',
      'operations ',
      'Duration (seconds)',
    ]);
    expect(stderr).toContain(' Number of concurrent processes: 2\n');
    expect(stderr).toContain(' Written (MiB): 10\n');
  });

  test('-json prints the document without the lines', async () => {
    const { stdout } = await bonniego('-json');
    expect(Object.keys(JSON.parse(stdout))).toEqual(DOCUMENT_KEYS);
    expect(splitLines(stdout)).toHaveLength(1);
  });
});

describe('gobonnie bonnie', () => {
  const argsOf = (...flags: readonly string[]) => ['bonnie', '-d', dir, '-s', '2', '-S', '1000', ...flags];
  const bonnie = (...flags: readonly string[]) => runInProcess(argsOf(...flags));
  const K = String.raw` +\d+ +\d+\.\d`;
  const ROW = new RegExp(String.raw`^gum07\. 1\*   2(${K}){5} +\d+\.\d +\d+\.\d$`);
  const ACTIVITIES = [
    'Writing with putc()',
    'Rewriting',
    'Writing intelligently',
    'Reading with getc()',
    'Reading intelligently',
  ];

  test('prints a header of three lines, and a row', async () => {
    const { stdout, exitCode } = await runGobonnie(argsOf('-m', 'gum07.7'));
    expect(exitCode).toBe(0);
    const [first, second, third, row, ...more] = splitLines(stdout);
    expect([first, second, third]).toEqual([
      '              ---Sequential Output (nosync)--- ---Sequential Input-- --Rnd Seek-',
      '              -Per Char- --Block--- -Rewrite-- -Per Char- --Block--- --01k (03)-',
      'Machine    MB K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU   /sec %CPU',
    ]);
    expect(row).toMatch(ROW);
    expect(more).toEqual([]);
  });

  test('prints the end of each phase, in order', async () => {
    const lines = stableLines((await bonnie()).stderr);
    expect(lines[0]).toMatch(/^Bonnie: File '\S+\/bonnie\.0', size: 2097152, volumes: 1$/);
    expect(lines.slice(1, -1).map((line) => line.replace(/\.\.\. *done:.*kB\/s.*%CPU$/, ''))).toEqual(
      ACTIVITIES,
    );
    expect(lines.at(-1)).toBe("Seeker 1...Seeker 2...Seeker 3...start 'em...done...done...done...");
  });

  test('-y, -u, -p, -S and -v appear in the table', async () => {
    const { stdout, stderr } = await bonnie('-y', '-u', '-p', '2', '-S', '8000', '-v', '3', '-m', 'gum07.');
    expect(stdout).toContain('---Sequential Output (sync)');
    expect(stdout.match(/-CharUnlk-/g)).toHaveLength(2);
    expect(stdout).toContain('--08k (02)-');
    expect(stdout).toMatch(/^gum07\. 3\* {3}2 /m);
    expect(stderr).toContain('size: 2097152, volumes: 3\n');
    expect(stderr).toContain('Writing with putc_unlocked()...done: ');
    expect(stderr).toContain("Seeker 1...Seeker 2...start 'em...done...done...\n");
  });

  test('-r changes nothing in the table', async () => {
    const { stdout, exitCode } = await bonnie('-r', '-m', 'gum07.');
    expect(exitCode).toBe(0);
    expect(splitLines(stdout).at(-1)).toMatch(ROW);
  });

  test.each([[['-html']], [['-f', 'html']]])('%j prints a page with a row', async (flags) => {
    const { stdout } = await bonnie(...flags, '-m', '<gum> & "co"');
    expect(stdout).toMatch(/^<!DOCTYPE html>\n/);
    expect(stdout.endsWith('</html>\n')).toBe(true);
    const rows = stdout.match(/^<tr><td>.*$/gm) ?? [];
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatch(
      /^<tr><td>&lt;gum&gt; &amp; &quot;co&quot;<\/td><td>2<\/td>(<td>[\d.]+<\/td>){12}<\/tr>$/,
    );
  });

  describe('with awk', () => {
    beforeEach(requireTools('awk'));

    test('awk splits the row into machine, volumes, megabytes and twelve results', async () => {
      const { stdout } = await bonnie('-m', 'gum07.');
      writeFileSync(path.join(dir, 'table'), stdout);
      const program = 'NR == 4 { print NF, $1, $2, $3, ($4 + 0 > 0), ($14 + 0 > 0) }';
      const split = await startProcess('awk', [program, path.join(dir, 'table')]).exitResult;
      await startProcess('rm', [path.join(dir, 'table')]).exitResult;
      expect(split.stdout).toBe('15 gum07. 1* 2 1 1\n');
    });
  });
});

describe('gobonnie bonnie++', () => {
  const IO_LINES = [
    'Writing intelligently...done',
    'Rewriting...done',
    'Reading intelligently...done',
    "start 'em...done...done...done...done...done...",
  ];
  const IO_TITLES = '------Sequential Output------ --Sequential Input- --Random-';
  const FILE_TITLES = '------Sequential Create------ --------Random Create--------';
  const isCsv = (line: string) => line.startsWith('1.98,');

  test('prints the tables and then the CSV, and a line at the end of each test', async () => {
    const args = ['bonnie++', ...USER_FLAGS, '-d', dir, ...'-s 1:8k:500 -r 0 -n 1 -m goldhost'.split(' ')];
    const { stdout, stderr, exitCode } = await runGobonnie(args);
    expect(exitCode).toBe(0);
    const lines = splitLines(stdout);
    expect(lines).toHaveLength(11);
    expect(lines[0]?.endsWith(IO_TITLES)).toBe(true);
    expect(lines[3]).toMatch(/^goldhost /);
    expect(lines[5]?.endsWith(FILE_TITLES)).toBe(true);
    expect(lines[6]).toMatch(/^goldhost /);
    expect(lines.findIndex(isCsv)).toBe(10);
    expect(stableLines(stderr)).toEqual([
      'Writing a byte at a time...done',
      ...IO_LINES.slice(0, 2),
      'Reading a byte at a time...done',
      ...IO_LINES.slice(2),
      ...['sequential', 'random'].flatMap((order) => [
        `Create files in ${order} order...done.`,
        `Stat files in ${order} order...done.`,
        `Delete files in ${order} order...done.`,
      ]),
    ]);
  });

  test('prints CSV with fifty fields, which include the options', async () => {
    const { stdout } = await runBonniePlusPlus(
      dir,
      '-q -s 2:4k:500:2 -r 0 -n 1:300:20:2 -f -c 2 -z 7 -m gold,host',
    );
    const fields = stdout.trimEnd().split(',');
    expect(fields).toHaveLength(50);
    expect(fields.slice(2, 9)).toEqual(['gold;host', '2', '7', '2M', '4k', '500', '2']);
    expect(fields.slice(9, 11)).toEqual(['', '']);
    expect(fields.slice(15, 17)).toEqual(['', '']);
    expect(fields.slice(21, 25)).toEqual(['1', '300', '20', '2']);
    for (const index of [11, 13, 17, 19, 26, 28, 30, 32, 34, 36])
      expect(fields[index]).toMatch(/^(\d+|\d+\.\d|\++)$/);
    for (const index of [38, 41]) expect(fields[index]).toBe('');
    for (const index of [39, 40, 42, 43, 44, 49]) expect(fields[index]).toMatch(/^\d+(us|ms|s)$/);
  });

  test('-f skips the per-byte tests, and -n 0 skips the file tests and their table', async () => {
    const { stdout, stderr } = await runBonniePlusPlus(dir, QUICK);
    expect(stableLines(stderr)).toEqual(IO_LINES);
    expect(stdout).toContain(IO_TITLES);
    expect(stdout).not.toContain(FILE_TITLES);
  });

  test('-s 0 skips the tests of the data file, and their table', async () => {
    const { stdout, stderr } = await runBonniePlusPlus(dir, '-s 0 -n 1');
    expect(stableLines(stderr)).toHaveLength(6);
    expect(stdout).not.toContain(IO_TITLES);
    expect(splitLines(stdout)[0]?.endsWith(FILE_TITLES)).toBe(true);
  });

  test('-q prints only CSV on stdout, and only the table on stderr', async () => {
    const { stdout, stderr, exitCode } = await runBonniePlusPlus(dir, `-q ${QUICK}`);
    expect(exitCode).toBe(0);
    expect(splitLines(stdout).map(isCsv)).toEqual([true]);
    const lines = splitLines(stderr);
    expect(lines[0]?.endsWith(IO_TITLES)).toBe(true);
    expect(lines.slice(2).map((line) => line.split(' ')[0])).toEqual([
      'Name:Size',
      expect.anything(),
      'Latency',
      '',
    ]);
  });

  test('-x 2 prints a header and two lines of CSV, and no table anywhere', async () => {
    const { stdout, stderr } = await runBonniePlusPlus(dir, `-x 2 ${QUICK}`);
    const [header, ...lines] = splitLines(stdout);
    expect(header).toBe(bonniePlusPlusCsvHeader());
    expect(lines.map(isCsv)).toEqual([true, true]);
    expect(stableLines(stderr)).toEqual([...IO_LINES, ...IO_LINES]);
  });

  test('-q -x 2 prints nothing on stderr, like bonnie++', async () => {
    const { stdout, stderr } = await runBonniePlusPlus(dir, `-q -x 2 ${QUICK}`);
    expect(splitLines(stdout)).toHaveLength(3);
    expect(stderr).toBe('');
  });

  test.each([
    ['-n 1:-1', 'link'],
    ['-n 1:-2', 'symlink'],
    ['-n 1:-2:0:3', 'symlink'],
  ])('%s creates links', async (flag, kind) => {
    const { stdout, exitCode } = await runBonniePlusPlus(dir, `-q -s 0 ${flag}`);
    expect(exitCode).toBe(0);
    expect(stdout.split(',').slice(21, 23)).toEqual(['1', kind]);
  });

  test.each(['-c 2', '-f1 -c 2', '-b', '-Z /etc/passwd', '-n 1:0:0:4', '-D -s 2:64k'])(
    '%s completes',
    async (flags) => {
      const { stdout, exitCode } = await runBonniePlusPlus(dir, `-q ${QUICK} ${flags}`);
      expect(exitCode).toBe(0);
      expect(splitLines(stdout).map(isCsv)).toEqual([true]);
    },
  );

  describe('the tools of bonnie++', () => {
    beforeEach(requireTools('bon_csv2html', 'bon_csv2txt', 'sh'));

    test.each(['bon_csv2html', 'bon_csv2txt'])('%s converts the CSV without errors', async (tool) => {
      const twoRuns = await runBonniePlusPlus(dir, `-x 2 -q ${QUICK} -n 1:100:10:2 -m gum`);
      const oneRun = await runBonniePlusPlus(dir, `-q ${QUICK} -m other`);
      const input = path.join(dir, 'results.csv');
      // bon_csv2txt rejects a header, even bonnie++'s own header.
      const lines = splitLines(twoRuns.stdout + oneRun.stdout).filter(isCsv);
      writeFileSync(input, `${lines.join('\n')}\n`);
      const { stdout, stderr, exitCode } = await startProcess('sh', ['-c', `${tool} < "$0"`, input])
        .exitResult;
      await startProcess('rm', [input]).exitResult;
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
      expect(stdout.match(/\bgum\b/g)?.length).toBeGreaterThanOrEqual(2);
      expect(stdout).toContain('other');
    });
  });
});

describe('a missing directory', () => {
  test.each([
    ['bonnie', ['-s', '1']],
    ['bonnie++', [...USER_FLAGS, '-q', '-r', '0', '-s', '1', '-n', '0']],
    ['getc-putc', [...USER_FLAGS, '-s', '4m']],
  ])('is rejected by %s, which does not create it', async (dialect, flags) => {
    const missing = path.join(dir, 'not', 'mounted');
    const { stdout, stderr, exitCode } = await runInProcess([dialect, '-d', missing, ...flags]);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toBe(
      `gobonnie: -d ${missing} does not exist; pass an existing directory; perhaps its disk is not mounted\n`,
    );
  });
});

test('bonnie++ continues when the terminal hangs up, and rejects file names that do not fit in RAM', async () => {
  const program = startPrompting(dir, QUICK);
  for (const phase of ['write', 'rewrite', 'read', 'seeks']) {
    await program.untilPrompt(phase);
    program.kill('SIGHUP');
    program.type('\n');
  }
  expect(await program.exitCode).toBe(0);
  const { stderr, exitCode } = await runBonniePlusPlus(dir, '-s 0 -n 14 -r 1');
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^gobonnie: -n 14 is too many files: their names do not fit in 1 MiB [^\n]+\n$/);
});

describe('gobonnie --format', () => {
  const SMALL = '-q --size 0.002 --iops-duration 0.1 --files 64'.split(' ');
  const run = (...flags: readonly string[]) => runInProcess([...SMALL, '--dir', dir, ...flags]);

  test.each([
    ['bonnie', 'write,rewrite,read,seeks', /^Machine +MB K\/sec/m],
    ['bonnie', 'putc,getc', /^Machine +MB K\/sec/m],
    ['bonnie-bray', 'write,read,iops', /^Machine +MB K\/sec/m],
    ['bonnie-html', 'write,rewrite,read,seeks', /^<tr><td>.*<td>2<\/td>/m],
    ['bonnie++', 'write,rewrite,read,seeks,create,stat,delete', /^Latency /m],
    ['bonnie++', 'create,stat,delete', /^Latency /m],
    ['bonnie++-csv', 'create-random,stat-random,delete-random', /^1\.98,/],
    ['bonnie++-csv', 'write,read,iops', /^1\.98,/],
    ['bonniego', 'write,rewrite', /^Rewrite MiB\/s: /m],
  ])('%s supports %s', async (format, phases, pattern) => {
    const { stdout, exitCode } = await run('--format', format, '--phases', phases);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(pattern);
  });

  test.each([
    [['--json'], 'write,read'],
    [['--json'], 'create,stat,delete'],
    [['--format', 'json'], 'write,rewrite,iops'],
    [['--format', 'bonnie'], 'create,stat,delete'],
    [['--format', 'bonnie-bray'], 'create'],
    [['--format', 'bonnie-html'], 'create-random,stat-random,delete-random'],
  ])('%j does not support %s, and is rejected before the run', async (flags, phases) => {
    const { stdout, stderr, exitCode } = await run(...flags, '--phases', phases);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toMatch(/^gobonnie: [^\n]*--phases[^\n]*; [^\n]+\n$/);
  });

  test.each([[['--json', '--format', 'bonnie']], [['--format=bonnie++', '-json']]])(
    'rejects %j, because they contradict each other',
    async (flags) => {
      const { stderr, exitCode } = await run(...flags);
      expect(exitCode).toBe(2);
      expect(stderr).toMatch(
        /^gobonnie: --json and --format bonnie(\+\+)? contradict each other; use only one of them\n$/,
      );
    },
  );

  test('prints a note about the phases that the format does not show', async () => {
    const flags = ['--size', '0.002', '--iops-duration', '0.1', '--format', 'bonnie'];
    const { stderr } = await runInProcess(['--dir', dir, ...flags, '--phases', 'write,read,iops']);
    expect(stableLines(stderr)).toContain('gobonnie: --format bonnie does not show iops');
  });

  test('rejects an unknown format with a list of all formats', async () => {
    const { stderr, exitCode } = await run('--format', 'bonny');
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /^gobonnie: unknown --format bonny; pass one of text, table, chart, json, .*bonnie\+\+-csv\n$/,
    );
  });
});
