import { beforeEach, describe, expect, test } from 'vitest';
import { readBonniePlusPlusRow } from '../../../src/read/compat/bonnie-plus-plus-csv.js';
import type { FileSet } from '../../../src/report/results.js';
import { GIB, KIB, MIB } from '../../../src/text/units.js';
import {
  foreignResultsByPhase,
  foreignRunWith,
  kib,
  perSecond,
  readLines,
  resultsByPhase,
} from '../../support/data/foreign-runs.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { startProcess } from '../../support/programs/program.js';
import { requireTools } from '../../support/tools.js';

const US = 1000;
const MS = 1_000_000;
const S = 1_000_000_000;

const read = readBonniePlusPlusRow;

/** The default of -n. */
const EMPTY_FILES: FileSet = {
  count: 16 * 1024,
  kind: 'files',
  directories: 1,
  minBytes: 0,
  maxBytes: 0,
  chunkBytes: null,
};

/** A test that was too short to trust. */
const quick = (longestNs: number | null = null) => ({ rate: null, longestNs });

const V_1_98 =
  '1.98,2.00a,goldhost,2,7,64M,,8192,5,1961,99,330783,83,1388382,65,3189,99,900000,50,616.9,2,' +
  '16,1000,10,,5,489,99,+++++,+++,1695,97,509,98,+++++,+++,1700,96,' +
  '4474us,864us,38us,735ms,30us,101s,158us,44us,236us,520us,2us,37us';

describe('a bonnie++ row of 1.98', () => {
  test('has every field', () => {
    expect(read(V_1_98)).toEqual(
      foreignRunWith({
        program: { name: 'bonnie++', version: '2.00a' },
        label: 'goldhost',
        sizeBytes: 64 * MIB,
        threads: 2,
        seed: '7',
        seeks: 8192,
        seekThreads: 5,
        synced: true,
        files: { ...EMPTY_FILES, minBytes: 10, maxBytes: 1000, directories: 5 },
        values: {
          putc: kib(1961, 99, 4474 * US),
          write: kib(330_783, 83, 864 * US),
          rewrite: kib(1_388_382, 65, 38 * US),
          getc: kib(3189, 99, 735 * MS),
          read: kib(900_000, 50, 30 * US),
          seeks: perSecond(616.9, 2, 101 * S),
          create: perSecond(489, 99, 158 * US),
          stat: quick(44 * US),
          delete: perSecond(1695, 97, 236 * US),
          'create-random': perSecond(509, 98, 520 * US),
          'stat-random': quick(2 * US),
          'delete-random': perSecond(1700, 96, 37 * US),
        },
      }),
    );
  });

  test('has no results for tests that did not run', () => {
    const run = read(
      '1.98,2.00a,host,1,1795270940,64M,,8192,5,,,+++++,+++,+++++,+++,,,+++++,+++,+++++,+++' +
        ',,,,,,,,,,,,,,,,,,,988us,110us,,71us,5550us,,,,,,',
    );
    expect(run).toMatchObject({ sizeBytes: 64 * MIB, files: null });
    expect(resultsByPhase(run)).toEqual(
      foreignResultsByPhase({
        write: quick(988 * US),
        rewrite: quick(110 * US),
        read: quick(71 * US),
        seeks: quick(5550 * US),
      }),
    );
  });

  test('without block tests has neither size nor chunk', () => {
    const run = read(
      '1.98,2.00a,host,1,1795271059,,,,,,,,,,,,,,,,,1,,,,,582,18,+++++,+++,+++++,+++,+++++,+++,' +
        '+++++,+++,+++++,+++,,,,,,,663us,80us,311us,868us,6us,53us',
    );
    expect(run).toMatchObject({ sizeBytes: null, chunkBytes: null, seeks: null, seekThreads: null });
    expect(run?.files).toEqual({ ...EMPTY_FILES, count: 1024 });
    expect(Object.keys(resultsByPhase(run))).toEqual([
      'create',
      'stat',
      'delete',
      'create-random',
      'stat-random',
      'delete-random',
    ]);
  });

  test.each([
    ['link', 'hard-links'],
    ['symlink', 'symlinks'],
  ])('with %s as its largest size describes %s', (word, kind) => {
    expect(read(V_1_98.replace(',16,1000,10,', `,16,${word},,`))?.files).toMatchObject({
      kind,
      minBytes: 0,
      maxBytes: 0,
    });
  });

  test('has the chunk sizes that it contains', () => {
    const run = read(V_1_98.replace('64M,,', '1G,16k,').replace(',10,,5,', ',10,3,4k,'));
    expect(run).toMatchObject({
      sizeBytes: GIB,
      chunkBytes: 16 * KIB,
      files: { directories: 3, chunkBytes: 4 * KIB },
    });
  });

  test('may have commas in the machine name', () => {
    const name = 'my host,a"b,1';
    expect(read(V_1_98.replace('goldhost', name))).toEqual({ ...read(V_1_98), label: name });
  });
});

describe('a bonnie++ row of 1.93 to 1.97', () => {
  test.each(['1.93c', '1.94', '1.96', '1.97'])(
    'of version %s has no number of seeks or seekers',
    (version) => {
      const run = read(
        `${version},${version},sup-pjalajas,1,1595640930,80112M,,668,99,993827,96,553909,59,1411,99,1341920,79,` +
          '8210,150,16,,,,,+++++,+++,26690,60,+++++,+++,27690,61,+++++,+++,+++++,+++,20730us,98013us,1412ms,' +
          '8035us,41587us,15082us,1262us,6290us,660us,3386us,228us,626us',
      );
      expect(run).toEqual(
        foreignRunWith({
          program: { name: 'bonnie++', version },
          label: 'sup-pjalajas',
          sizeBytes: 80_112 * MIB,
          chunkBytes: 8 * KIB,
          seed: '1595640930',
          synced: true,
          files: EMPTY_FILES,
          values: {
            putc: kib(668, 99, 20_730 * US),
            write: kib(993_827, 96, 98_013 * US),
            rewrite: kib(553_909, 59, 1412 * MS),
            getc: kib(1411, 99, 8035 * US),
            read: kib(1_341_920, 79, 41_587 * US),
            seeks: perSecond(8210, 150, 15_082 * US),
            create: quick(1262 * US),
            stat: perSecond(26_690, 60, 6290 * US),
            delete: quick(660 * US),
            'create-random': perSecond(27_690, 61, 3386 * US),
            'stat-random': quick(228 * US),
            'delete-random': quick(626 * US),
          },
        }),
      );
    },
  );

  const FILES_ONLY =
    '60,32,32,,,1702,14,2025,12,1332,4,1873,16,2047,13,1266,3,,,,,,,3874ms,6645ms,8659ms,505ms,7257ms,9627ms';

  test.each([
    ['a field too few, as 1.96 prints it', 14],
    ['all its fields', 15],
  ])('without the block tests is read with %s', (_, commas) => {
    const run = read(`1.96,1.96,fslab3,1,1374655110${','.repeat(commas)}${FILES_ONLY}`);
    expect(run).toMatchObject({
      label: 'fslab3',
      threads: 1,
      sizeBytes: null,
      files: { count: 60 * 1024, minBytes: 32, maxBytes: 32 },
    });
    expect(resultsByPhase(run)).toEqual(
      foreignResultsByPhase({
        create: perSecond(1702, 14, 3874 * MS),
        stat: perSecond(2025, 12, 6645 * MS),
        delete: perSecond(1332, 4, 8659 * MS),
        'create-random': perSecond(1873, 16, 505 * MS),
        'stat-random': perSecond(2047, 13, 7257 * MS),
        'delete-random': perSecond(1266, 3, 9627 * MS),
      }),
    );
  });
});

const ROW =
  'access1,256M,10564,96,18951,24,6687,7,10030,88,15949,6,153.8,0,16,489,99,+++++,+++,+++++,+++,509,98,+++++,+++,1695,97';

describe('a bonnie++ row of 1.03', () => {
  test('has every field', () => {
    expect(read(ROW)).toEqual(
      foreignRunWith({
        program: { name: 'bonnie++', version: null },
        label: 'access1',
        sizeBytes: 256 * MIB,
        chunkBytes: 8 * KIB,
        files: EMPTY_FILES,
        values: {
          putc: kib(10_564, 96),
          write: kib(18_951, 24),
          rewrite: kib(6687, 7),
          getc: kib(10_030, 88),
          read: kib(15_949, 6),
          seeks: perSecond(153.8, 0),
          create: perSecond(489, 99),
          stat: quick(),
          delete: quick(),
          'create-random': perSecond(509, 98),
          'stat-random': quick(),
          'delete-random': perSecond(1695, 97),
        },
      }),
    );
  });

  test('may have the chunk after the size', () => {
    expect(read(ROW.replace('256M', '1G:32k'))).toMatchObject({ sizeBytes: GIB, chunkBytes: 32 * KIB });
    expect(read(ROW.replace('256M', '1G:512'))).toMatchObject({ sizeBytes: GIB, chunkBytes: 512 });
  });

  test('may have all file settings in one field', () => {
    expect(read(ROW.replace(',16,', ',64:20000:16/512,'))?.files).toEqual({
      ...EMPTY_FILES,
      count: 64 * 1024,
      minBytes: 16,
      maxBytes: 20_000,
      directories: 512,
    });
    expect(read(ROW.replace(',16,', ',1:link/3,'))?.files).toMatchObject({
      kind: 'hard-links',
      directories: 3,
    });
  });

  test('may lack the byte-wise tests, all block tests or the file tests', () => {
    const keys = (row: string) => Object.keys(resultsByPhase(read(row)));
    expect(keys(ROW.replace('10564,96', ',').replace('10030,88', ','))).not.toContain('putc');
    expect(keys(`host${','.repeat(14)}16,1,1,2,2,3,3,4,4,5,5,6,6`)[0]).toBe('create');
    expect(keys(`host,300M,,,36045,12,1,1,,,2,2,3,3${','.repeat(13)}`)).toEqual([
      'write',
      'rewrite',
      'read',
      'seeks',
    ]);
  });

  test('may have commas in the machine name', () => {
    expect(read(ROW.replace('access1', 'a,b'))).toEqual({ ...read(ROW), label: 'a,b' });
  });
});

describe('a line that is not a row is skipped', () => {
  test.each([
    'format_version,bonnie_version,name,concurrency,seed,file_size,io_chunk_size,putc,putc_cpu,put_block',
    'name,file_size,putc,putc_cpu,put_block,put_block_cpu,rewrite,rewrite_cpu,getc,getc_cpu,get_block,get_block_cpu,seeks,seeks_cpu,num_files,seq_create,seq_create_cpu,seq_stat',
    '# 1.98,2.00a,a comment',
    '',
    'Using uid:0, gid:0.',
    'Writing intelligently...done',
    'Version 2.00a       ------Sequential Output------ --Sequential Input- --Random-',
    'goldhost        64M 1961k  99 +++++ +++ +++++ +++ 3189k  99 +++++ +++ +++++ +++',
    'We tried sizes of 1,2,4,8,16,32,64 and 128, and then, well, gave up.',
    '2.5,3.5,4.5',
  ])('%s', (line) => {
    expect(read(line)).toBeNull();
  });
});

describe('a damaged row is rejected with a reason', () => {
  test.each([
    [V_1_98.slice(0, 60), /^it has \d+ fields, expected 50 \(format 1\.98\): the line is truncated$/],
    [V_1_98.slice(0, V_1_98.lastIndexOf(',')), /^it has 49 fields, expected 50 \(format 1\.98\)/],
    ['1.97,1.97,host', /^it has 3 fields, expected 48 \(format 1\.97\)/],
    [
      'host,1G,19931,99,99258,73,61688,31,23784,98,178478,41,616',
      /^it has 13 fields, expected 27 \(format 1\.03\)/,
    ],
    [V_1_98.replace('330783', '33o783'), /^write is 33o783, expected a number$/],
    [V_1_98.replace('330783', '-5'), /^write is -5, expected a number$/],
    [V_1_98.replace('330783', ''), /^write is "", expected a number$/],
    [V_1_98.replace('330783', '9'.repeat(400)), /^write is 9{400}, expected a number$/],
    [V_1_98.replace(',83,', ',nan,'), /^the %CPU of write is nan, expected a number$/],
    [V_1_98.replace('330783', '9'.repeat(308)), /^write is 9{308}, expected a number$/],
    [
      V_1_98.replace('1000,10,', 'constructor,10,'),
      /^the files' largest size is constructor, expected a size such as 64M$/,
    ],
    [
      V_1_98.replace('330783,83', ',').replace('864us', 'soon'),
      /^a latency is soon, expected a time such as 864us/,
    ],
    [
      V_1_98.replace('330783', '330,783'),
      /^it has 51 fields, expected 50 \(format 1\.98\), and no size after a name/,
    ],
    [`${V_1_98},`, /^it has 51 fields, expected 50 \(format 1\.98\), and no size after a name/],
    [
      ROW.replace('153.8', '153,8'),
      /^it has 28 fields, expected 27 \(format 1\.03\), and no size after a name/,
    ],
    [ROW.replace('256M', '1G:32k:5'), /^the size is 1G:32k:5, expected a size such as 1G:8k$/],
    [V_1_98.replace('64M', '64X'), /^the size is 64X, expected a size such as 64M$/],
    [V_1_98.replace(',2,7,', ',two,7,'), /^the concurrency is two, expected a whole number$/],
    [V_1_98.replace(',8192,5,', ',8192,5.5,'), /^the number of seekers is 5\.5, expected a whole number$/],
    [V_1_98.replace('864us', '864'), /^a latency is 864, expected a time such as 864us$/],
    [V_1_98.replace(',16,1000', ',1x,1000'), /^the number of files is 1x, expected a number$/],
    [V_1_98.replace('1000,10,', 'big,10,'), /^the files' largest size is big, expected a size such as 64M$/],
    [V_1_98.replace('1.98', '1.99'), /^its format is 1\.99, expected 1\.03, 1\.93 to 1\.97 or 1\.98$/],
    [V_1_98.replace('330783', '\u001b[31m'), /^write is "\\u001b\[31m", expected a number$/],
  ])('%s', (row, reason) => {
    expect(() => read(row)).toThrow(reason);
  });

  test('two rows on one line do not count as a name with commas', () => {
    expect(() => read(V_1_98 + V_1_98)).toThrow(
      'it has 99 fields, expected 50 (format 1.98): lines run together',
    );
  });
});

describe('the real bonnie++', () => {
  beforeEach(requireTools('bonnie++'));

  /** Returns bonnie++'s output with these and the common arguments. */
  async function runBonniePlusPlus(args: readonly string[]): Promise<string> {
    const user = process.getuid?.() === 0 ? ['-u', 'root'] : [];
    const common = ['-d', makeDirectory(), '-r', '0', '-m', 'real', '-c', '3', '-z', '11', ...user];
    const { stdout, exitCode } = await startProcess('bonnie++', [...common, ...args]).exitResult;
    expect(exitCode).toBe(0);
    return stdout;
  }

  test('prints CSV that gobonnie reads below its table and below its header', {
    timeout: 60_000,
  }, async () => {
    const [table = '', header = ''] = await Promise.all([
      runBonniePlusPlus(['-s', '16:16k:500:2', '-n', '0', '-f']),
      runBonniePlusPlus(['-s', '0', '-n', '1:100:10:5', '-x', '2', '-q']),
    ]);
    const blocks = readLines(read, table).filter((run) => run !== null);
    const files = readLines(read, header).filter((run) => run !== null);
    expect(table).toContain('Sequential Output');
    expect(header).toMatch(/^format_version,/);
    expect([blocks.length, files.length]).toEqual([1, 2]);
    expect(blocks[0]).toMatchObject({ sizeBytes: 16 * MIB, seeks: 500, seekThreads: 2, files: null });
    expect(Object.keys(resultsByPhase(blocks[0]))).toEqual(['write', 'rewrite', 'read', 'seeks']);
    for (const run of files) {
      expect(run.files).toMatchObject({ count: 1024, minBytes: 10, maxBytes: 100, directories: 5 });
      expect(run.phases).toHaveLength(6);
    }
    for (const run of [...blocks, ...files]) {
      expect(run).toMatchObject({ label: 'real', threads: 3, seed: '11' });
      for (const { latencyNs } of run.phases) expect(latencyNs.max).toBeGreaterThan(0);
    }
  });
});
