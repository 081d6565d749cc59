import { expect, test } from 'vitest';
import { createBonnieRowReader } from '../../../src/read/compat/bonnie-rows.js';
import { readLines } from '../../../src/read/guard.js';
import type { RunResult } from '../../../src/report/results.js';
import { KIB, MIB } from '../../../src/text/units.js';
import {
  foreignResultsByPhase,
  foreignRunWith,
  kib,
  perSecond,
  resultsByPhase,
} from '../../support/data/foreign-runs.js';

const GARLOFF = `\
              ---Sequential Output (nosync)--- ---Sequential Input-- --Rnd Seek-
              -Per Char- --Block--- -Rewrite-- -Per Char- --Block--- --04k (03)-
Machine    MB K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU   /sec %CPU
`;
const BRAY = `\
              -------Sequential Output-------- ---Sequential Input-- --Random--
              -Per Char- --Block--- -Rewrite-- -Per Char- --Block--- --Seeks---
Machine    MB K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU  /sec %CPU
`;

function parseRows(text: string): readonly RunResult[] {
  return readLines(text, createBonnieRowReader());
}

function parseRow(text: string): RunResult | undefined {
  const [row, ...more] = parseRows(text);
  expect(more).toEqual([]);
  return row;
}

const BONNIE: Partial<RunResult> = { program: { name: 'bonnie', version: null }, blockBytes: 16 * KIB };

test("every value of Garloff's row and header is read", () => {
  const row = 'gum07. 1* 400  8701 93.2 26069 14.6 10337 12.2  7950 81.5 23695 11.2  122.1  1.5';
  expect(parseRow(GARLOFF + row)).toEqual(
    foreignRunWith({
      ...BONNIE,
      label: 'gum07.',
      sizeBytes: 400 * MIB,
      seeks: 4000,
      seekThreads: 3,
      values: {
        putc: kib(8701, 93.2),
        write: kib(26_069, 14.6),
        rewrite: kib(10_337, 12.2),
        getc: kib(7950, 81.5),
        read: kib(23_695, 11.2),
        seeks: perSecond(122.1, 1.5),
      },
    }),
  );
});

const VALUES = '10328 10.5 10319  3.8  4280  3.2 10436 14.3 10712  2.8    9.3  3.0';

test.each([
  [GARLOFF, '       1*1024', '', 1024, 1],
  [GARLOFF, 'my pc. 12*100', 'my pc.', 12 * 100, 12],
  [BRAY, '         131072', '', 131_072, 1],
])(
  'the label, the size and the volumes of a row are read, %#',
  (header, start, label, megabytes, dataFiles) => {
    expect(parseRow(`${header}${start} ${VALUES}`)).toMatchObject({
      label,
      sizeBytes: megabytes * MIB,
      dataFiles,
    });
  },
);

test('the header shows if writes were synced and bytes unlocked, and the number of seeks and seekers', () => {
  const text = GARLOFF.replace('Output (nosync)---', 'Output (sync)-----')
    .replaceAll('-Per Char-', '-CharUnlk-')
    .replace('--04k (03)-', '--20k (05)-');
  expect(parseRow(`${text}diavol 1*1500 ${VALUES}`)).toMatchObject({
    synced: true,
    unlocked: true,
    seeks: 20_000,
    seekThreads: 5,
  });
});

test.each([
  ['--04k (03)-', `--${'9'.repeat(400)}k (03)-`, null, null],
  ['--04k (03)-', `--04k (${'9'.repeat(400)})-`, null, null],
  ['04k', '00k', null, 3],
])(
  'in a header, a number of seeks or seekers that is 0 or impossible is unknown, %#',
  (old, changed, seeks, seekThreads) => {
    expect(parseRow(`${GARLOFF.replace(old, changed)}diavol 1*1500 ${VALUES}`)).toMatchObject({
      seeks,
      seekThreads,
    });
  },
);

test("progress, prose and other programs' tables are not rows", () => {
  const text = `
[root@athy /]# bonnie -s 512
File './Bonnie.19851', size: 536870912, volumes: 1
Writing with putc()...  done:  13038 kB/s  99.8 %CPU
Rewriting...            done:  15274 kB/s  12.9 %CPU
Seeker 1...Seeker 2...Seeker 3...start 'em...done...done...done...
${GARLOFF}     1* 512 13038 99.8 44931 43.8 15274 12.9 12038 95.0 66362 32.5  305.7  4.1

Maybe this is the kind of performance you want: 1 2 3 4 5 6 7 8 9 10.
 r  b  w   swpd   free   buff  cache  si  so    bi    bo   in    cs  us  sy  id
 0  0  0      0  18204  20804 121932   0   0    11    12  110    59   2   1  97
   .     512    4096    2  26.20 16.6% 0.973 1.05% 28.52 47.5% 1.099 0.98%
host            64M  1961  99 20000  40 10000  20  3189  99 30000  30 616.9   2
`;
  expect(parseRow(text)).toMatchObject({ label: '', sizeBytes: 512 * MIB });
});

test('plus signs are an unknown value', () => {
  const row = `${BRAY}host 100 10328 10.5 +++++ ++++  4280  3.2 10436 14.3 10712  2.8 +++++ ++++`;
  expect(resultsByPhase(parseRow(row))).toMatchObject(
    foreignResultsByPhase({ write: { rate: null }, seeks: { rate: null } }),
  );
});

const REST = '10337 12.2  7950 81.5 23695 11.2';
const DAMAGE = 'numbers run together or are truncated';

test.each([
  [
    'gum07. 1* 400  8701 93.2 26069',
    `it is "gum07. 1* 400  8701 93.2 26069", expected a size and 12 numbers: ${DAMAGE}`,
  ],
  [`gum07. 1* 400  8701 93.226069 14.6 ${REST}  122.1  1.5`, `expected a size and 12 numbers: ${DAMAGE}`],
  [`host MB 8701 93.2 26069 14.6 ${REST}  122.1  1.5`, 'expected a size and 12 numbers'],
  [`a 9 1*400  8701 93.2 26069 14.6 ${REST}  122.11.5`, 'the %CPU of putc is 8701, expected one decimal'],
  [`gum07. 1* 400  8701 93.2 26o69 14.6 ${REST}  122.1  1.5`, 'write is 26o69, expected whole K/sec'],
  [`gum07. 1* 400  8701 93.2 26069 14.6 ${REST}  many  1.5`, 'seeks is many, expected a number'],
  [`gum07. 1* 400  8701 93.2 26069 14.6 ${REST}  1e5  1.5`, 'seeks is 1e5, expected a number'],
])('a damaged row below a header is rejected with a reason: %s', (row, reason) => {
  expect(() => parseRows(GARLOFF + row)).toThrow(reason);
  expect(() => parseRows(`${GARLOFF}\n\n${row}`)).toThrow(reason);
});

test('a damaged or truncated row directly below a valid row is rejected; text further below is prose', () => {
  const good = `${GARLOFF}host   1*1024 ${VALUES}\n`;
  expect(() => parseRows(`${good}host   1*1024  ${VALUES.replace('10712', '1071X')}`)).toThrow(
    'read is 1071X',
  );
  expect(() => parseRows(`${good}host   1*1024  9854 100.0 109124 51.0`)).toThrow(
    'expected a size and 12 numbers',
  );
  expect(parseRows(`${good}\nhost   1*1024  9854 100.0 109124 51.0`)).toHaveLength(1);
  expect(parseRows(`${good}So 9.3 seeks.\n1 1 1 9.5 9.5`)).toHaveLength(1);
});
