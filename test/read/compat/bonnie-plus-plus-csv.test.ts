import { describe, expect, test } from 'vitest';
import { readBonniePlusPlusRow } from '../../../src/read/compat/bonnie-plus-plus-csv.js';
import type { FileSet } from '../../../src/report/results.js';
import { GIB, KIB, MIB } from '../../../src/text/units.js';
import { foreignResultsByPhase, kib, perSecond, resultsByPhase } from '../../support/data/foreign-runs.js';

const US = 1000;

const read = readBonniePlusPlusRow;

/** The default of -n. */
const EMPTY_FILES: FileSet = {
  count: 16 * 1024,
  kind: 'files',
  directories: 1,
  minBytes: 0,
  maxBytes: 0,
  blockBytes: null,
};

/** A test that was too short to trust. */
const quick = (longestNs: number | null = null) => ({ rate: null, longestNs });

const V_1_98 =
  '1.98,2.00a,goldhost,2,7,64M,,8192,5,1961,99,330783,83,1388382,65,3189,99,900000,50,616.9,2,' +
  '16,1000,10,,5,489,99,+++++,+++,1695,97,509,98,+++++,+++,1700,96,' +
  '4474us,864us,38us,735ms,30us,101s,158us,44us,236us,520us,2us,37us';

test('a row of the real bonnie++ 2.00 has the directories in the field of their chunk, and no chunk sizes', () => {
  expect(read(V_1_98)).toMatchObject({
    sizeBytes: 64 * MIB,
    blockBytes: null,
    files: { ...EMPTY_FILES, minBytes: 10, maxBytes: 1000, directories: 5, blockBytes: null },
  });
});

test.each(['1.93c', '1.94', '1.96', '1.97'])(
  'a bonnie++ row of version %s has no number of seeks or seekers',
  (version) => {
    const run = read(
      `${version},${version},sup-pjalajas,1,1595640930,80112M,,668,99,993827,96,553909,59,1411,99,1341920,79,` +
        '8210,150,16,,,,,+++++,+++,26690,60,+++++,+++,27690,61,+++++,+++,+++++,+++,20730us,98013us,1412ms,' +
        '8035us,41587us,15082us,1262us,6290us,660us,3386us,228us,626us',
    );
    expect(run).toMatchObject({
      program: { name: 'bonnie++', version },
      label: 'sup-pjalajas',
      sizeBytes: 80_112 * MIB,
      blockBytes: 8 * KIB,
      seed: '1595640930',
      seeks: null,
      seekThreads: null,
      synced: true,
      files: EMPTY_FILES,
    });
    expect(resultsByPhase(run)).toMatchObject(
      foreignResultsByPhase({
        putc: kib(668, 99, 20_730 * US),
        seeks: perSecond(8210, 150, 15_082 * US),
        create: quick(1262 * US),
        'delete-random': quick(626 * US),
      }),
    );
  },
);

const ROW =
  'access1,256M,10564,96,18951,24,6687,7,10030,88,15949,6,153.8,0,16,489,99,+++++,+++,+++++,+++,509,98,+++++,+++,1695,97';

describe('a bonnie++ row of 1.03', () => {
  test('has every field', () => {
    const run = read(ROW);
    expect(run).toMatchObject({
      program: { name: 'bonnie++', version: null },
      label: 'access1',
      sizeBytes: 256 * MIB,
      blockBytes: 8 * KIB,
      threads: 1,
      synced: false,
      files: EMPTY_FILES,
    });
    expect(run?.steps).toHaveLength(12);
    expect(resultsByPhase(run)).toMatchObject(
      foreignResultsByPhase({
        putc: kib(10_564, 96),
        seeks: perSecond(153.8, 0),
        create: perSecond(489, 99),
        stat: quick(),
        'delete-random': perSecond(1695, 97),
      }),
    );
  });

  test.each([
    ['256M', '1G:32k', { sizeBytes: GIB, blockBytes: 32 * KIB }],
    ['256M', '', { sizeBytes: null, blockBytes: null }],
    ['256M', '1G:512', { sizeBytes: GIB, blockBytes: 512 }],
    [
      ',16,',
      ',64:20000:16/512,',
      { files: { count: 64 * 1024, minBytes: 16, maxBytes: 20_000, directories: 512 } },
    ],
    [',16,', ',1:link/3,', { files: { count: 1024, kind: 'hard-links', directories: 3 } }],
  ])('may have no size, or several settings in one field: %s replaced by %j', (field, combined, facts) => {
    expect(read(ROW.replace(field, combined))).toMatchObject(facts);
  });
});

test.each([
  'format_version,bonnie_version,name,concurrency,seed,file_size,io_chunk_size,putc,putc_cpu,put_block',
  '# 1.98,2.00a,a comment',
  '',
  'goldhost        64M 1961k  99 +++++ +++ +++++ +++ 3189k  99 +++++ +++ +++++ +++',
  'We tried sizes of 1,2,4,8,16,32,64 and 128, and then, well, gave up.',
])('a line that is not a row is skipped: %s', (line) => {
  expect(read(line)).toBeNull();
});

test.each([
  [
    V_1_98.slice(0, V_1_98.lastIndexOf(',')),
    'it has 49 fields, expected 50 (format 1.98): the line is truncated',
  ],
  [
    'host,1G,19931,99,99258,73,61688,31,23784,98,178478,41,616',
    'it has 13 fields, expected 27 (format 1.03)',
  ],
  [`${V_1_98},`, 'it has 51 fields, expected 50 (format 1.98): lines run together'],
  [V_1_98.replace('1.98', '1.99'), 'its format is 1.99, expected 1.03, 1.93 to 1.97 or 1.98'],
  [V_1_98.replace('330783', '-5'), 'write is -5, expected a number'],
  [V_1_98.replace('330783', '9'.repeat(308)), `write is ${'9'.repeat(308)}, expected a number`],
  [V_1_98.replace('864us', '864'), 'a latency is 864, expected a time such as 864us'],
  [ROW.replace('256M', '1G:32k:5'), 'the size is 1G:32k:5, expected a size such as 1G:8k'],
  [V_1_98.replace('64M', '64X'), 'the size is 64X, expected a size such as 64M'],
  [V_1_98.replace(',8192,5,', ',8192,5.5,'), 'the number of seekers is 5.5, expected a whole number'],
  [V_1_98.replace(',16,1000', ',1x,1000'), 'the number of files is 1x, expected a number'],
])('a damaged row is rejected with a reason: %s', (row, reason) => {
  expect(() => read(row)).toThrow(reason);
});

test('a row of 1.96 without the block tests is read, although it has a field too few', () => {
  const run = read(
    `1.96,1.96,fslab3,1,1374655110${','.repeat(14)}` +
      '60,32,32,,,1702,14,2025,12,1332,4,1873,16,2047,13,1266,3,,,,,,,3874ms,6645ms,8659ms,505ms,7257ms,9627ms',
  );
  expect(run).toMatchObject({ sizeBytes: null, files: { count: 60 * 1024, minBytes: 32 } });
  expect(run?.steps).toHaveLength(6);
});
