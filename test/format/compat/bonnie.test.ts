import { describe, expect, test } from 'vitest';
import { bonnieBrayTable, bonnieHtml, bonnieTable } from '../../../src/format/compat/bonnie.js';
import type { RunResult } from '../../../src/report/results.js';
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

  test.each([{ synced: true }, { unlocked: true }, { seeks: 8000 }, { seekThreads: 5 }])(
    'has a header above each group of rows with the same settings: %j',
    (facts) => {
      const other = lines(bonnieTable([bonnieRun(facts)])).slice(0, 3);
      expect(other).not.toEqual(HEADER);
      const runs = [
        bonnieRun(),
        bonnieRun({ dataFiles: 2 }),
        bonnieRun(facts),
        bonnieRun(facts),
        bonnieRun(),
      ];
      const volumes = GUM07.replace('1* 400', '2* 200');
      expect(lines(bonnieTable(runs))).toEqual(
        [HEADER, GUM07, volumes, other, GUM07, GUM07, HEADER, GUM07].flat(),
      );
    },
  );
});

test("Bray's table has its own header, a longer label and narrower seeks", () => {
  const runs = [
    bonnieRun({ label: 'pre9-3' }),
    bonnieRun({ label: 'longer-name', synced: true, unlocked: true, seeks: 8000, dataFiles: 2 }),
    bonnieRun({ label: '', sizeBytes: 100 * MIB, values: valuesByPhase(null, [1258402, 100]) }),
  ];
  expect(lines(bonnieBrayTable(runs))).toEqual([
    '              -------Sequential Output-------- ---Sequential Input-- --Random--',
    '              -Per Char- --Block--- -Rewrite-- -Per Char- --Block--- --Seeks---',
    'Machine    MB K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU  /sec %CPU',
    'pre9-3    400  8701 93.2 26069 14.6 10337 12.2  7950 81.5 23695 11.2 122.1  1.5',
    'longer-n  400  8701 93.2 26069 14.6 10337 12.2  7950 81.5 23695 11.2 122.1  1.5',
    '          100            1258402 100.0                                            ',
  ]);
});

const GUM07_ROW =
  '<tr><td>gum07.garloff.de</td><td>400</td><td>8701</td><td>93.2</td><td>26069</td><td>14.6</td>' +
  '<td>10337</td><td>12.2</td><td>7950</td><td>81.5</td><td>23695</td><td>11.2</td><td>122.1</td><td>1.5</td></tr>\n';

/** Returns the row of a page of one run. */
function bonnieHtmlRow(run: RunResult): string | undefined {
  return /^<tr><td>.*\n/m.exec(bonnieHtml([run]))?.[0];
}

test('the HTML page is a table under a header', () => {
  expect(bonnieHtml([bonnieRun()])).toBe(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Bonnie</title>
<style>
table { border-collapse: collapse }
th, td { border: 1px solid; padding: 0.1em 0.5em }
td + td { text-align: right }
</style>
</head>
<body>
<table>
<tr><td colspan="2" rowspan="2"></td><th colspan="6">Sequential Output (nosync)</th><th colspan="4">Sequential Input</th><th colspan="2">Rnd Seek</th></tr>
<tr><th colspan="2">Per Char</th><th colspan="2">Block</th><th colspan="2">Rewrite</th><th colspan="2">Per Char</th><th colspan="2">Block</th><th colspan="2">04k (03)</th></tr>
<tr><th>Machine</th><th>MB</th><th>K/sec</th><th>%CPU</th><th>K/sec</th><th>%CPU</th><th>K/sec</th><th>%CPU</th><th>K/sec</th><th>%CPU</th><th>K/sec</th><th>%CPU</th><th>/sec</th><th>%CPU</th></tr>
${GUM07_ROW}</table>
</body>
</html>
`);
});

test('on the page, a missing result is an empty cell, and a result that took too little time is plus signs', () => {
  const values = valuesByPhase(null, [26069, 14.6], [10337, null], [null, null], null, [122.1, 1.5]);
  expect(bonnieHtmlRow(bonnieRun({ label: '', sizeBytes: null, values }))).toBe(
    '<tr><td></td><td></td><td></td><td></td><td>26069</td><td>14.6</td><td>10337</td><td></td>' +
      '<td>+++++</td><td>++++</td><td></td><td></td><td>122.1</td><td>1.5</td></tr>\n',
  );
});

test('on the page, the size of several volumes is their number and the megabytes per volume', () => {
  expect(bonnieHtmlRow(bonnieRun({ sizeBytes: 3 * GIB, dataFiles: 3 }))).toContain('<td>3*1024</td>');
});

test('on the page, a run with other settings has a header of its own, and a label is text', () => {
  const label = `<b>"A" & 'B'</b></td>`;
  const page = bonnieHtml([bonnieRun(), bonnieRun(), bonnieRun({ label, synced: true, unlocked: true })]);
  expect(page.match(/<th>Machine/g)).toHaveLength(2);
  expect(page).toContain('>Sequential Output (sync)<');
  expect(page.match(/>CharUnlk</g)).toHaveLength(2);
  expect(page).toContain('<td>&lt;b&gt;&quot;A&quot; &amp; &#39;B&#39;&lt;/b&gt;&lt;/td&gt;</td>');
});
