import { beforeEach, describe, expect, test } from 'vitest';
import { bonniePlusPlusText } from '../../../src/format/compat/bonnie-plus-plus.js';
import { readResults } from '../../../src/read/index.js';
import type { RunResult } from '../../../src/report/results.js';
import { GIB, KIB, MIB, NS_PER_MS, NS_PER_US } from '../../../src/text/units.js';
import { bonniePlusPlusRun } from '../../format/compat/bonnie-plus-plus-runs.js';
import { foreignResultsByPhase, kib, perSecond, resultsByPhase } from '../../support/data/foreign-runs.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { startProcess } from '../../support/programs/program.js';
import { requireTools } from '../../support/tools.js';

const read = (text: string): readonly RunResult[] => readResults(text, 'mail').flatMap(({ runs }) => runs);

const V_1_03 = `
Version  1.03       ------Sequential Output------ --Sequential Input- --Random-
                    -Per Chr- --Block-- -Rewrite- -Per Chr- --Block-- --Seeks--
Machine   Size:chnk K/sec %CP K/sec %CP K/sec %CP K/sec %CP K/sec %CP  /sec %CP
silo 4       2G:32k 27330  95 62522  19 22619   6 29056  98 256311   6 159.7   0
                    ------Sequential Create------ --------Random Create--------
                    -Create-- --Read--- -Delete-- -Create-- --Read--- -Delete--
files:max:min        /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP
       16:1000:10/5  3007  98 +++++ +++           3087  99 +++++ +++  9173 100
`;

test("a table of 1.03 has the machine, the settings and each test's rate, whatever column is empty", () => {
  const [run, ...others] = read(V_1_03);
  expect(others).toEqual([]);
  expect(run).toMatchObject({
    program: { name: 'bonnie++', version: '1.03' },
    label: 'silo 4',
    sizeBytes: 2 * GIB,
    blockBytes: 32 * KIB,
    threads: 1,
    synced: false,
    files: { count: 16 * 1024, maxBytes: 1000, minBytes: 10, directories: 5 },
  });
  expect(resultsByPhase(run)).toEqual(
    foreignResultsByPhase({
      putc: kib(27_330, 95),
      write: kib(62_522, 19),
      rewrite: kib(22_619, 6),
      getc: kib(29_056, 98),
      read: kib(256_311, 6),
      seeks: perSecond(159.7, 0),
      create: perSecond(3007, 98),
      stat: { rate: null },
      'create-random': perSecond(3087, 99),
      'stat-random': { rate: null },
      'delete-random': perSecond(9173, 100),
    }),
  );
});

const V_1_97 = `
Version  1.97       ------Sequential Output------ --Sequential Input- --Random-
Concurrency   3     -Per Chr- --Block-- -Rewrite- -Per Chr- --Block-- --Seeks--
Machine        Size K/sec %CP K/sec %CP K/sec %CP K/sec %CP K/sec %CP  /sec %CP
wide            63G           347029  24 1175829  17           495890  20 447.9  11
Latency                       16764us   79061us             32499us     228ms
Version  1.97       ------Sequential Create------ --------Random Create--------
wide.example.org    -Create-- --Read--- -Delete-- -Create-- --Read--- -Delete--
              files  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP
                 16  7555  17 +++++ +++ 18185  27  7097  12 +++++ +++ 11216  21
Latency               349ms     127us   12376us     382ms      14us     490ms
`;
const V_1_97_CSV =
  '1.97,1.97,wide,3,1438369124,63G,,,,347029,24,1175829,17,,,495890,20,447.9,11,16,,,,,7555,17,+++++,+++,18185,27,' +
  '7097,12,+++++,+++,11216,21,,16764us,79061us,,32499us,228ms,349ms,127us,12376us,382ms,14us,490ms\n';

test('a table of 1.9x has the same results as its CSV line, even where long numbers shift its columns', () => {
  const [run] = read(V_1_97);
  const [fromCsv] = read(V_1_97_CSV);
  expect(run).toEqual({ ...fromCsv, label: 'wide.example.org', seed: null });
  expect(resultsByPhase(run).seeks?.latencyNs).toEqual({ max: 228 * NS_PER_MS });
});

test('a CSV line replaces the table above it, and no other table', () => {
  expect(read(`${V_1_03}${V_1_97}\n${V_1_97_CSV}`)).toEqual([...read(V_1_97_CSV), ...read(V_1_03)]);
});

test.each([
  ['> > ', V_1_97],
  ['    ', V_1_97],
  ['>', V_1_03],
])('a table is read from a quoted or indented mail: %s', (prefix, text) => {
  expect(read(text.replaceAll('\n', `\r\n${prefix}`))).toEqual(read(text));
});

test('a table of several machines, as bon_csv2txt prints it, has a run for each', () => {
  const runs = read(`
Version 1.02b       ------Sequential Output------ --Sequential Input- --Random-
                    -Per Chr- --Block-- -Rewrite- -Per Chr- --Block-- --Seeks--
Machine        Size K/sec %CP K/sec %CP K/sec %CP K/sec %CP K/sec %CP  /sec %CP
ext3 1           1G 21236  99 37258  22 11357   4 13460  56 41748   6 120.0   0
ext3 2           1G 20821  99 36838  23 12176   5 13154  55 40671   6 120.7   0

                    ------Sequential Create------ --------Random Create--------
                    -Create-- --Read--- -Delete-- -Create-- --Read--- -Delete--
              files  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP
ext3 1           10  3279  97 +++++ +++ +++++ +++  3406 100 +++++ +++  8951  95
ext3 2           10  3303  98 +++++ +++ +++++ +++  3423  99 +++++ +++  8558  96
Is ext3 2 faster?
`);
  expect(runs.map(({ label }) => label)).toEqual(['ext3 1', 'ext3 2']);
  expect(runs.map((run) => resultsByPhase(run).create?.operationsPerSecond)).toEqual([3279, 3303]);
});

test('long lines around a table are skipped at once', () => {
  const long = `${' '.repeat(9000)}x\n`.repeat(1000);
  expect(read(V_1_03 + long)).toEqual(read(V_1_03));
});

test('a damaged row is rejected with its line', () => {
  expect(() => read(V_1_03.replace(' 95 62522', ' 95 x2522'))).toThrow(
    'mail, line 5 cannot be read: it is "silo 4       2G:32k 27330  95 x2522  19 22619   6 29056  98 256311   6 ' +
      '159.7   0", expected a size, and a rate and a %CP of each test',
  );
});

test.each([
  {},
  { threads: 3, seekThreads: 12, blockBytes: 4 * KIB, seeks: 1000 },
  { values: { write: kib(2_000_000, 9, 3 * NS_PER_US), read: kib(200_000, 9), create: perSecond(300, 20) } },
  { values: { create: perSecond(300, 20) }, sizeBytes: null, blockBytes: null },
  { values: { seeks: perSecond(99.5, 3) }, files: null, blockBytes: MIB },
  { label: '16 1G', program: { name: 'gobonnie', version: '1.0.0' } },
  {
    files: {
      count: 1536,
      kind: 'files',
      minBytes: 100_000,
      maxBytes: 1e6,
      directories: 1000,
      blockBytes: null,
    },
  },
  {
    files: { count: 1024, kind: 'symlinks', minBytes: 0, maxBytes: 0, directories: 3, blockBytes: null },
  },
] as const)('a table is printed unchanged after it was read: %j', (facts) => {
  const text = bonniePlusPlusText([bonniePlusPlusRun(facts)]);
  expect(bonniePlusPlusText(read(text))).toBe(text);
});

describe('the real bonnie++', () => {
  beforeEach(requireTools('bonnie++'));

  test.each([[['-s', '2:8k:500:2', '-n', '1:100:10:2', '-f', '-c', '3']], [['-s', '0', '-n', '1:-1']]])(
    'prints tables with the results of its CSV line: %j',
    async (args) => {
      const user = process.getuid?.() === 0 ? ['-u', 'root'] : [];
      const all = [...user, '-d', makeDirectory(), '-m', 'gold', '-r', '0', ...args];
      const { stdout } = await startProcess('bonnie++', all).exitResult;
      const [, table = '', csv = ''] = /^([\s\S]*)^(1\.98,.*)\n$/m.exec(stdout) ?? [];
      const [fromCsv] = read(csv);
      expect(fromCsv).toBeDefined();
      expect(read(stdout)).toEqual([fromCsv]);
      const [run] = read(table);
      // The text has fewer digits, and no file rate of 2.00a is right there.
      const withoutRates = (one: RunResult | undefined) =>
        one?.steps.map(({ bytesPerSecond, operationsPerSecond, cpuPercent, ...facts }) => facts);
      expect(withoutRates(run)).toEqual(withoutRates(fromCsv));
      expect(run).toMatchObject({ label: 'gold', threads: fromCsv?.threads, sizeBytes: fromCsv?.sizeBytes });
      expect(run?.files).toEqual(fromCsv?.files);
    },
  );
});
