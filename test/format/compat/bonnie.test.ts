import { describe, expect, test } from 'vitest';
import { bonnieBrayTable, bonnieTable } from '../../../src/format/compat/bonnie.js';
import { GIB, KIB, MIB } from '../../../src/text/units.js';
import { bonnieRun, valuesByPhase } from './bonnie-runs.js';

const HEADER = [
  '              ---Sequential Output (nosync)--- ---Sequential Input-- --Rnd Seek-',
  '              -Per Char- --Block--- -Rewrite-- -Per Char- --Block--- --04k (03)-',
  'Machine    MB K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU   /sec %CPU',
];
const GUM07 = 'gum07. 1* 400  8701 93.2 26069 14.6 10337 12.2  7950 81.5 23695 11.2  122.1  1.5';

/** Returns the lines of a table that ends with a line break. */
function lines(table: string): readonly string[] {
  expect(table.at(-1)).toBe('\n');
  return table.slice(0, -1).split('\n');
}

/** Returns the row of a table of one run. */
function row(facts: Parameters<typeof bonnieRun>[0]): string | undefined {
  return lines(bonnieTable([bonnieRun(facts)])).at(3);
}

describe("Garloff's table", () => {
  test('equals the table on his page, with the alignment of his program', () => {
    expect(lines(bonnieTable([bonnieRun()]))).toEqual([...HEADER, GUM07]);
  });

  test('shows sync, unlocked I/O and the number of seeks in its header', () => {
    const run = bonnieRun({
      label: 'diavolo',
      sizeBytes: 1500 * MIB,
      synced: true,
      unlocked: true,
      seeks: 100,
      values: valuesByPhase([10328, 10.5], [10319, 3.8], [4280, 3.2], [10436, 14.3], [10712, 2.8], [9.3, 3]),
    });
    expect(lines(bonnieTable([run]))).toEqual([
      '              ---Sequential Output (sync)----- ---Sequential Input-- --Rnd Seek-',
      '              -CharUnlk- --Block--- -Rewrite-- -CharUnlk- --Block--- --00k (03)-',
      'Machine    MB K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU   /sec %CPU',
      'diavol 1*1500 10328 10.5 10319  3.8  4280  3.2 10436 14.3 10712  2.8    9.3  3.0',
    ]);
  });

  test('shows the number of volumes and the megabytes of each', () => {
    const run = bonnieRun({
      label: 'M1135-x',
      sizeBytes: 3 * GIB,
      dataFiles: 3,
      values: valuesByPhase(
        [23779, 95.2],
        [20222, 95.3],
        [17248, 54.7],
        [26313, 84.6],
        [28849, 58.9],
        [343.9, 3.2],
      ),
    });
    expect(lines(bonnieTable([run])).at(-1)).toBe(
      'M1135- 3*1024 23779 95.2 20222 95.3 17248 54.7 26313 84.6 28849 58.9  343.9  3.2',
    );
  });

  test('shifts the columns after a wide number', () => {
    const run = bonnieRun({
      label: '',
      sizeBytes: GIB,
      values: valuesByPhase(
        [9854, 100],
        [109124, 51],
        [65537, 52.2],
        [9821, 99.9],
        [167240, 97.6],
        [1504.4, 6.4],
      ),
    });
    expect(lines(bonnieTable([run])).at(-1)).toBe(
      '       1*1024  9854 100.0 109124 51.0 65537 52.2  9821 99.9 167240 97.6 1504.4  6.4',
    );
    expect(row({ sizeBytes: 12 * 65536 * MIB, dataFiles: 12 })).toMatch(/^gum07\. 12\*65536 {2}8701 93\.2 /);
  });

  test('rounds K/sec and megabytes down', () => {
    const values = valuesByPhase([0.9, 0], [1.999, 0.04], [10337.9, 12.26], null, null, [122.06, 1.46]);
    expect(row({ sizeBytes: 401 * MIB - KIB, values })).toBe(
      'gum07. 1* 400     0  0.0     1  0.0 10337 12.3                        122.1  1.5',
    );
  });

  test('keeps its columns aligned if results are missing', () => {
    const values = valuesByPhase(null, [26069, 14.6], [10337, null], null, [23695, 11.2], [122.1, 1.5]);
    expect(row({ values })).toBe(
      'gum07. 1* 400            26069 14.6 10337                 23695 11.2  122.1  1.5',
    );
    expect(row({ values: {} })).toBe('gum07. 1* 400'.padEnd(HEADER[2]?.length ?? 0));
  });

  test('shows plus signs for a test that was too short', () => {
    const values = valuesByPhase(
      [null, null],
      [26069, 14.6],
      [null, 12.2],
      [7950, 81.5],
      [null, null],
      [null, null],
    );
    expect(row({ values })).toBe(
      'gum07. 1* 400 +++++ ++++ 26069 14.6 +++++ ++++  7950 81.5 +++++ ++++  +++++ ++++',
    );
  });

  test('leaves the size blank if the block tests did not run', () => {
    expect(row({ sizeBytes: null })).toBe(`gum07.       ${GUM07.slice(13)}`);
  });

  test.each([
    ['ab', 'ab     1* 400 '],
    ['', '       1* 400 '],
    ['a\nb\u001b[31m', 'a?b?[3 1* 400 '],
    ['a\u202eb\u2028c\u009b', 'a?b?c? 1* 400 '],
    ['😀😀😀😀😀😀😀', '😀😀😀😀😀😀 1* 400 '],
  ])('truncates or pads label %# to the width of its column', (label, start) => {
    expect(row({ label })?.slice(0, start.length)).toBe(start);
  });

  test.each([
    [{ seeks: 4999, seekThreads: 12 }, '--04k (12)-'],
    [{ seeks: 8192, seekThreads: 5 }, '--08k (05)-'],
    [{ seeks: 150_000, seekThreads: 3 }, '--150k (03)-'],
    [{ seeks: null }, '--Seeks----'],
    [{ seekThreads: null }, '--Seeks----'],
  ])('shows the known values of %j in its header', (facts, title) => {
    expect(lines(bonnieTable([bonnieRun(facts)])).at(1)).toBe(`${HEADER[1]?.slice(0, -11)}${title}`);
  });

  test('has a single header above rows with the same settings', () => {
    expect(lines(bonnieTable([bonnieRun(), bonnieRun({ dataFiles: 2 }), bonnieRun()]))).toEqual([
      ...HEADER,
      GUM07,
      GUM07.replace('1* 400', '2* 200'),
      GUM07,
    ]);
  });

  test.each([{ synced: true }, { unlocked: true }, { seeks: 8000 }, { seekThreads: 5 }])(
    'has a new header above the rows with %j, and the old header again below them',
    (facts) => {
      const other = lines(bonnieTable([bonnieRun(facts)])).slice(0, 3);
      expect(other).not.toEqual(HEADER);
      const runs = [bonnieRun(), bonnieRun(facts), bonnieRun(facts), bonnieRun()];
      expect(lines(bonnieTable(runs))).toEqual([...HEADER, GUM07, ...other, GUM07, GUM07, ...HEADER, GUM07]);
    },
  );

  test('is empty without runs', () => {
    expect(bonnieTable([])).toBe('');
  });
});

test("Bray's table has its own header, a longer label and narrower seeks", () => {
  const values = valuesByPhase(
    [15032, 64.4],
    [12843, 13.8],
    [6202, 7.1],
    [11421, 38.1],
    [13005, 11.6],
    [118.1, 1.2],
  );
  const runs = [
    bonnieRun({ label: 'pre9-3', values }),
    bonnieRun({ label: 'longer-name', synced: true, unlocked: true, seeks: 8000, dataFiles: 2, values }),
    bonnieRun({ label: '', sizeBytes: 100 * MIB, values: valuesByPhase(null, [1258402, 100]) }),
  ];
  expect(lines(bonnieBrayTable(runs))).toEqual([
    '              -------Sequential Output-------- ---Sequential Input-- --Random--',
    '              -Per Char- --Block--- -Rewrite-- -Per Char- --Block--- --Seeks---',
    'Machine    MB K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU  /sec %CPU',
    'pre9-3    400 15032 64.4 12843 13.8  6202  7.1 11421 38.1 13005 11.6 118.1  1.2',
    'longer-n  400 15032 64.4 12843 13.8  6202  7.1 11421 38.1 13005 11.6 118.1  1.2',
    '          100            1258402 100.0                                            ',
  ]);
});
