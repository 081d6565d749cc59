import { spawnSync } from 'node:child_process';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  BONNIE_PLUS_PLUS_CSV_HEADER,
  createBonniePlusPlusCsv,
} from '../../../src/format/compat/bonnie-plus-plus-csv.js';
import type { FileSet, RunResult } from '../../../src/report/results.js';
import { GIB } from '../../../src/text/units.js';
import { kib, perSecond, type RunFacts } from '../../support/data/foreign-runs.js';
import { requireTools } from '../../support/tools.js';
import { bonniePlusPlusRun, FILE_VALUES, IO_VALUES } from './bonnie-plus-plus-runs.js';

/** A line of the real program. */
const GOLD =
  '1.98,2.00a,goldhost,1,7,64M,,8192,5,1961,99,+++++,+++,+++++,+++,3189,99,+++++,+++,+++++,+++,1,,,,,' +
  '+++++,+++,+++++,+++,+++++,+++,+++++,+++,+++++,+++,+++++,+++,' +
  '4474us,864us,38us,2763us,30us,3346us,158us,44us,236us,520us,2us,37us';

/** A run of gobonnie that fills every field. */
const FULL = bonniePlusPlusRun({
  program: { name: 'gobonnie', version: '1.0.0' },
  sizeBytes: 2 * GIB,
  blockBytes: 65_536,
  threads: 4,
  seeks: 1000,
  seekThreads: 12,
  files: {
    count: 16 * 1024,
    kind: 'files',
    minBytes: 10,
    maxBytes: 1000,
    directories: 3,
    blockBytes: 512,
  },
  values: {
    putc: kib(1961.9, 99.9, 4_474_000),
    write: kib(124_992, 12, 118_999_000),
    rewrite: kib(66_000, 8, 38_000),
    getc: kib(3189, 99, 2_763_000),
    read: kib(1_300_000, 45, 30_000),
    seeks: perSecond(503.34, 16, 101_500_000_000),
    create: perSecond(1415.9, 68, 158_000),
    stat: perSecond(23_000, 50, 44_000),
    delete: perSecond(1774, 7, 236_000),
    'create-random': perSecond(1694, 87, 520_000),
    'stat-random': perSecond(24_000, 51, 2_000),
    'delete-random': perSecond(0.9, 1, 37_000),
  },
});
const FULL_LINE =
  '1.98,1.0.0,goldhost,4,7,2G,64k,1000,12,1961,99,124992,12,66000,8,3189,99,1300000,45,503.3,16,' +
  '16,1000,10,3,512,1415,68,23000,50,1774,7,1694,87,24000,51,0,1,' +
  '4474us,118ms,38us,2763us,30us,101s,158us,44us,236us,520us,2us,37us';

const bonniePlusPlusCsv = createBonniePlusPlusCsv('1.98');
const csvLine = (run: RunResult) => bonniePlusPlusCsv([run]).slice(0, -1);
const csvFields = (facts: RunFacts = {}) => csvLine(bonniePlusPlusRun(facts)).split(',');

describe('a line of bonnie++ CSV', () => {
  test("equals the real program's line, which omits a chunk of 8 KiB", () => {
    expect(csvLine(bonniePlusPlusRun())).toBe(GOLD);
  });

  test('has every setting and result of a run', () => {
    expect(csvLine(FULL)).toBe(FULL_LINE);
  });

  test('has empty fields for tests that did not run', () => {
    expect(csvLine(bonniePlusPlusRun({ sizeBytes: null, values: FILE_VALUES }))).toBe(
      `1.98,2.00a,goldhost,1,7${','.repeat(17)}1,,,,,${'+++++,+++,'.repeat(6)},,,,,,158us,44us,236us,520us,2us,37us`,
    );
    expect(csvLine(bonniePlusPlusRun({ files: null, values: { write: IO_VALUES.write } }))).toBe(
      `1.98,2.00a,goldhost,1,7,64M,,8192,5,,,+++++,+++${','.repeat(27)}864us${','.repeat(10)}`,
    );
  });

  test.each([
    [{}, ['1', '', '', '', '']],
    [{ kind: 'symlinks', directories: 5 }, ['1', 'symlink', '', '5', '']],
    [{ maxBytes: 500 }, ['1', '500', '', '', '']],
    [{ maxBytes: 500, minBytes: 10, directories: 5 }, ['1', '500', '10', '5', '']],
    // Empty files have no chunks. A chunk needs a directory count, even 1: bonnie++ would take it for the directories.
    [{ maxBytes: 500, blockBytes: 8192 }, ['1', '500', '', '', '']],
    [{ maxBytes: 500, blockBytes: 16_384 }, ['1', '500', '', '1', '16k']],
  ] as const)('gives the settings of the file tests: %j', (facts, fields) => {
    const files = bonniePlusPlusRun().files as FileSet;
    expect(csvFields({ files: { ...files, ...facts } }).slice(21, 26)).toEqual(fields);
  });

  test.each([
    ['a,b', 'a;b'],
    ['"a,b"', "'a;b'"],
    ['\u001b[31m', '?[31m'],
    ['-1+1', "'-1+1"],
  ])('has 50 fields with the name %j', (label, field) => {
    const fields = csvFields({ label });
    expect(fields).toHaveLength(50);
    expect(fields[2]).toBe(field);
  });
});

describe('a line of an older bonnie++', () => {
  // Readers of these versions find each value by its place in the line.
  test('1.97 has 48 fields, without the seeks', () => {
    expect(createBonniePlusPlusCsv('1.97')([FULL])).toBe(
      `${FULL_LINE.replace('1.98,', '1.97,').replace('64k,1000,12,', '64k,')}\n`,
    );
    expect(createBonniePlusPlusCsv('1.97')([FULL]).split(',')).toHaveLength(48);
  });

  test('1.03 has 27 fields, with the chunk after the size and the file settings after their number', () => {
    expect(createBonniePlusPlusCsv('1.03')([FULL])).toBe(
      'goldhost,2G:64k,1961,99,124992,12,66000,8,3189,99,1300000,45,503.3,16,' +
        '16:1000:10/3,1415,68,23000,50,1774,7,1694,87,24000,51,0,1\n',
    );
    expect(createBonniePlusPlusCsv('1.03')([bonniePlusPlusRun({ files: null, values: IO_VALUES })])).toBe(
      `goldhost,64M,1961,99${',+++++,+++'.repeat(2)},3189,99${',+++++,+++'.repeat(2)}${','.repeat(13)}\n`,
    );
  });
});

describe("bonnie++'s own programs", () => {
  beforeEach(requireTools('bonnie++', 'bon_csv2html', 'bon_csv2txt'));

  const fed = (program: string, input: string) => {
    const { stdout, stderr, status } = spawnSync(program, { input, encoding: 'utf8' });
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    return stdout;
  };

  /** Returns the text of the cells in each row of the page. */
  const pageCells = (page: string) =>
    page
      .split('\n')
      .filter((line) => line.includes('class="rowheader"'))
      .map((line) => line.match(/(?<=>)[^<>]*(?=(?:<\/font>)?<\/td>)/g));

  test('bon_csv2html skips the header, and shows every field in its column and every latency', () => {
    const page = fed(
      'bon_csv2html',
      `${BONNIE_PLUS_PLUS_CSV_HEADER}\n${bonniePlusPlusCsv([FULL, bonniePlusPlusRun()])}`,
    );
    const expected =
      'goldhost 4 2G 64k 1961 99 122 12 64 8 3189 99 1270 45 503.3 16 ' +
      '16 1000 10 3 512 1415 68 23000 50 1774 7 1694 87 24000 51 0 1';
    expect(pageCells(page)).toHaveLength(2);
    expect(pageCells(page)[0]).toEqual(expected.split(' '));
    const latencies = page.split('\n').find((line) => line.includes('Latency'));
    expect(latencies?.match(/\d+m?u?s(?=<)/g)).toEqual(FULL_LINE.split(',').slice(38));
  });

  test.each([
    ['some of the tests', { files: null, values: { write: IO_VALUES.write, read: IO_VALUES.read } }],
    ['the file tests alone', { sizeBytes: null, values: FILE_VALUES }],
    ['no name', { label: '' }],
  ])('both accept %s', (_name, facts) => {
    const csv = bonniePlusPlusCsv([bonniePlusPlusRun(facts)]);
    expect(pageCells(fed('bon_csv2html', csv))).toHaveLength(1);
    expect(fed('bon_csv2txt', csv)).toMatch(/^Latency .*us/m);
  });
});
