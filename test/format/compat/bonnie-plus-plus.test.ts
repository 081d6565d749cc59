import { beforeEach, describe, expect, test } from 'vitest';
import { bonniePlusPlusText } from '../../../src/format/compat/bonnie-plus-plus.js';
import { readBonniePlusPlusRow } from '../../../src/read/compat/bonnie-plus-plus-csv.js';
import type { ForeignValues } from '../../../src/read/compat/row-parsing.js';
import type { FileSet, RunResult } from '../../../src/report/results.js';
import { GIB, KIB, MIB, NS_PER_US } from '../../../src/text/units.js';
import { kib, perSecond, type RunFacts } from '../../support/data/foreign-runs.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { startProcess } from '../../support/programs/program.js';
import { requireTools } from '../../support/tools.js';
import { bonniePlusPlusRun, FILE_VALUES, IO_VALUES } from './bonnie-plus-plus-runs.js';

const IO_HEADER = [
  'Version 2.00a       ------Sequential Output------ --Sequential Input- --Random-',
  '                    -Per Chr- --Block-- -Rewrite- -Per Chr- --Block-- --Seeks--',
  'Name:Size etc        /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP',
];
const GOLD_IO = [
  ...IO_HEADER,
  'goldhost        64M 1961k  99 +++++ +++ +++++ +++ 3189k  99 +++++ +++ +++++ +++',
  'Latency              4474us     864us      38us    2763us      30us    3346us',
];
const GOLD_FILES = [
  'Version 2.00a       ------Sequential Create------ --------Random Create--------',
  'goldhost            -Create-- --Read--- -Delete-- -Create-- --Read--- -Delete--',
  '              files  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP',
  '                  1 +++++ +++ +++++ +++ +++++ +++ +++++ +++ +++++ +++ +++++ +++',
  'Latency               158us      44us     236us     520us       2us      37us',
];

/** Returns the lines of the tables, which end with a line break. */
function lines(...runs: readonly RunResult[]): readonly string[] {
  const text = bonniePlusPlusText(runs);
  expect(text.at(-1)).toBe('\n');
  return text.slice(0, -1).split('\n');
}

const ioOnly = (facts: RunFacts = {}) => bonniePlusPlusRun({ values: IO_VALUES, ...facts });
const filesOnly = (facts: RunFacts = {}) => bonniePlusPlusRun({ values: FILE_VALUES, ...facts });

/** Returns the text before the columns in the row of the first table. */
const ioSubject = (facts: RunFacts) => lines(ioOnly(facts))[3]?.slice(0, -60);

/** Returns the text of the only test in a table. */
const ioCell = (test: string, score: ForeignValues) =>
  lines(ioOnly({ values: { [test]: score } }))[3]
    ?.slice(19)
    .trim();

describe('both tables of bonnie++', () => {
  test('equal the tables of the real program', () => {
    expect(lines(bonniePlusPlusRun())).toEqual([...GOLD_IO, ...GOLD_FILES]);
  });

  test.each([
    ['1.0.0', 'Version 1.0.0       ------S'],
    ['1.10.0-alpha.10', 'Version 1.10.0-alph ------S'],
    [null, 'Version             ------S'],
  ])('show version %s of the program that measured, and keep their alignment', (version, start) => {
    const all = lines(bonniePlusPlusRun({ program: { name: 'gobonnie', version } }));
    expect([all[0]?.slice(0, 27), all[5]?.slice(0, 27)]).toEqual([start, start]);
  });

  test('are omitted if none of their tests ran', () => {
    expect(lines(filesOnly())).toEqual(GOLD_FILES);
    expect(bonniePlusPlusText([bonniePlusPlusRun({ values: {} })])).toBe('');
    expect(bonniePlusPlusText([bonniePlusPlusRun({ values: { iops: perSecond(1, 1) } })])).toBe('');
    expect(bonniePlusPlusText([])).toBe('');
  });

  test('have empty columns for a test that did not run', () => {
    const { write, rewrite, read } = IO_VALUES;
    expect(lines(ioOnly({ values: { write, rewrite, read } }))).toEqual([
      ...IO_HEADER,
      'goldhost        64M           +++++ +++ +++++ +++           +++++ +++          ',
      'Latency                         864us      38us                30us          ',
      '',
    ]);
  });

  test('have no latency line without latencies', () => {
    const values = { write: kib(2000, 9), create: perSecond(300, 20) };
    expect(bonniePlusPlusText([bonniePlusPlusRun({ values })])).not.toContain('Latency');
  });
});

describe('a rate in the tables of bonnie++', () => {
  test.each([
    [10_000, '9.8m'],
    [1961.9, '1961k'],
    [12_544, '12.2m'],
    [12_545, '12.3m'],
    [102_400, '100m'],
    [1_025_551, '1.0g'],
  ])('of %d KiB/s is shown as %s', (kibPerSecond, text) => {
    expect(ioCell('write', kib(kibPerSecond, 5))).toBe(`${text}   5`);
  });

  test.each([
    [0.84, '0.8'],
    [1000, '1000'],
    [1002.5, '1002'],
  ])('of %d seeks per second is shown as %s', (rate, text) => {
    expect(ioCell('seeks', perSecond(rate, 12))).toBe(`${text}  12`);
  });

  test.each([
    [0.499_9, '+++++ +++'],
    [0.5, '2000k  10'],
  ])('measured for %d s is shown as %s', (seconds, text) => {
    expect(ioCell('write', { ...kib(2000, 10.9), seconds })).toBe(text);
  });
});

test.each([
  [0.9, '0us'],
  [99_999, '99ms'],
  [99_999_998, '99999ms'],
  [99_999_999, '99s'],
])('a latency of %d µs is shown as %s', (us, text) => {
  const [, , , , latency] = lines(ioOnly({ values: { putc: kib(1, 1, us * NS_PER_US) } }));
  expect(latency?.slice(0, 27)).toBe(`Latency          ${text.padStart(10)}`);
});

test.each([
  [{}, 'goldhost        64M'],
  [{ sizeBytes: GIB }, 'goldhost         1G'],
  [{ sizeBytes: 640 * KIB }, 'goldhost       640k'],
  [{ blockBytes: null, seeks: null, seekThreads: null }, 'goldhost        64M'],
  [{ threads: 3, seekThreads: 12 }, 'goldhost 64M::3::12'],
  [{ blockBytes: 4096, seeks: 1024, seekThreads: 12 }, 'gol 64M:4k::1024:12'],
  [{ label: 'a-very-long-host-name' }, 'a-very-long-hos 64M'],
  [{ label: 'a\nb\u001b[31m' }, 'a?b?[31m        64M'],
  [
    { sizeBytes: 1025 * MIB, blockBytes: 65_536, threads: 12, seeks: 20_000, seekThreads: 12 },
    '1025M:64k:12:20000:12',
  ],
])('name and size in the tables of bonnie++ share 19 characters: %j', (facts, subject) => {
  expect(ioSubject(facts)).toBe(subject);
});

describe('the file tests in the tables of bonnie++', () => {
  const files = (facts: Partial<FileSet>) => {
    const run = bonniePlusPlusRun();
    const [, , header = '', row = ''] = lines(filesOnly({ files: { ...(run.files as FileSet), ...facts } }));
    return [header.slice(0, 20), row.slice(0, -60)];
  };

  test.each([
    [{ count: 16 * 1024 }, '              files ', '                 16'],
    [{ count: 1536 }, '              files ', '                1.5'],
    [{ directories: 10 }, '              files ', '               1/10'],
    [{ maxBytes: 500 }, 'files:max           ', '            1:500:0'],
    [{ maxBytes: 1000, minBytes: 10, directories: 3 }, 'files:max:min       ', '        1:1000:10/3'],
    [{ kind: 'hard-links' }, 'files:max           ', '             1:link'],
    [{ kind: 'symlinks', directories: 3 }, 'files:max           ', '        1:symlink/3'],
    [
      { count: 102_400, maxBytes: 1_000_000, minBytes: 100_000, directories: 1000 },
      'files:max:min       ',
      '100:1000000:100000/1000',
    ],
  ] as const)('show their settings: %j', (facts, header, subject) => {
    expect(files(facts)).toEqual([header, subject]);
  });

  test('have no settings if the settings are unknown', () => {
    const [, , header, row] = lines(filesOnly({ files: null }));
    expect(header).toMatch(/^ {14}files {2}\/sec/);
    expect(row).toMatch(/^ {20}\+{5} \+{3} /);
  });
});

describe('the real bonnie++', () => {
  beforeEach(requireTools('bonnie++'));

  /** Returns the tables of the real program, and the tables that gobonnie prints for its CSV line. */
  const run = async (...args: readonly string[]) => {
    const user = process.getuid?.() === 0 ? ['-u', 'root'] : [];
    const all = [...user, '-d', makeDirectory(), '-m', 'goldhost', '-r', '0', ...args];
    const { stdout } = await startProcess('bonnie++', all).exitResult;
    const [, text = '', line = ''] = /^([\s\S]*)^(1\.98,.*)\n$/m.exec(stdout) ?? [];
    const run = readBonniePlusPlusRow(line);
    expect(run).not.toBeNull();
    return { text, mine: run ? bonniePlusPlusText([run]) : '' };
  };

  // With so few megabytes, rates have no decimals. The CSV line never has decimals.
  test('prints the same first table', async () => {
    const { text, mine } = await run('-s', '2:8k:500:2', '-n', '0', '-f');
    expect(mine).toBe(text);
  });

  test('prints the same second table except for its rates', async () => {
    const { text, mine } = await run('-s', '0', '-n', '1:1000:10:3');
    const withoutRates = (table: string) => table.replace(/(?<= )[ \d+]{4}[\d+] [ \d+]{3}/g, 'rate cpu');
    expect(text).toContain('1:1000:10/3');
    expect(withoutRates(mine)).toBe(withoutRates(text));
  });
});
