import { describe, expect, test } from 'vitest';
import { csv } from '../../src/format/programs/csv.js';
import { json } from '../../src/format/programs/json.js';
import { report as reportFormat } from '../../src/format/programs/report.js';
import { readResults } from '../../src/read/index.js';
import { completeRuns, type Results, rateOf } from '../../src/report/results.js';
import { resultsOfReport } from '../../src/report/results-of-report.js';
import { refusal, reportWith, runWith } from '../support/fixtures.js';

const CSV_1_03 =
  'silo4,2G,27330,95,62522,19,22619,6,29056,98,56311,6,159.7,0,16,3007,98,+++++,+++,+++++,+++,3087,99,+++++,+++,9173,100';
const CSV_1_97 =
  '1.97,1.97,cc3550,1,1517338312,8G,,864,99,77866,7,72051,8,2947,99,235458,14,9676,125,16,,,,,+++++,+++,+++++,+++,' +
  '+++++,+++,+++++,+++,+++++,+++,+++++,+++,14345us,2216ms,749ms,4939us,131ms,1748us,2205us,881us,689us,668us,23us,981us';
const CSV_1_98 =
  '1.98,2.00a,wsl,1,1731168315,63G,,8192,5,540,99,745124,100,980550,91,2205,99,1203968,58,+++++,+++,16,,,,,+++++,+++,' +
  '+++++,+++,+++++,+++,+++++,+++,+++++,+++,+++++,+++,16366us,5650us,12027us,4465us,1806us,478us,586us,404us,3818us,3324us,837us,3156us';
const BRAY = `\
              -------Sequential Output-------- ---Sequential Input-- --Random--
              -Per Char- --Block--- -Rewrite-- -Per Char- --Block--- --Seeks---
Machine    MB K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU  /sec %CPU
         4096 16969 28.2  8098  7.5  7597  8.3 15411 18.6 15411 10.6  47.3  0.8`;

/** The labels of everything in it. */
function labelsOf(text: string): readonly string[] {
  return readResults(text, 'old.txt').flatMap(({ runs }) => runs.map(({ label }) => label));
}

const OWN = reportWith({ runs: [runWith(), runWith({ state: 'incomplete', measurements: [] })] });
const OWN_TEXT = reportFormat.end?.(OWN) ?? '';

test('gobonnie’s own CSV is known, and what can be read instead is said', () => {
  expect(() => readResults(csv.render?.([resultsOfReport(OWN)]) ?? '', 'x.csv')).toThrow(
    refusal(
      'unreadable',
      'x.csv cannot be read: CSV of gobonnie is for others to read; give what --out wrote to a .json or .ndjson file',
    ),
  );
});

describe('what it is is found out by the content', () => {
  test('a report of gobonnie is itself, and its runs', () => {
    expect(readResults(OWN_TEXT, 'x')).toEqual([resultsOfReport(OWN)]);
  });

  test('a report may be printed over many lines, and keeps what a later version added', () => {
    const later = { ...OWN, weather: 'fine' };
    expect(readResults(JSON.stringify(later, null, 2), 'x')[0]?.report).toEqual(later);
  });

  test("gobonniego's document, as gobonnie prints it, has the figures that were measured", () => {
    const [results] = readResults(json.end?.(OWN) ?? '', 'x');
    expect(results?.report).toBeNull();
    const figures = (of: Results | undefined) =>
      completeRuns(of ? [of] : []).map(({ phases }) =>
        phases.map((result) => {
          const amount = result.figure === 'bytes' ? result.bytes : result.operations;
          return [result.phase, Math.round(rateOf(result) ?? 0), amount, result.seconds];
        }),
      );
    expect(figures(results)).toEqual(figures(resultsOfReport(OWN)));
  });

  test.each([
    ['1.03', CSV_1_03, 'silo4'],
    ['1.97', CSV_1_97, 'cc3550'],
    ['1.98', CSV_1_98, 'wsl'],
    ["Bray's", BRAY, ''],
  ])('a row: %s', (_, text, label) => {
    expect(labelsOf(text)).toEqual([label]);
  });

  test('rows of every kind may stand in one text, and keep their order', () => {
    expect(labelsOf(`${CSV_1_98}\n${BRAY}\n\nand then:\n${CSV_1_03}\n${CSV_1_97}\n`)).toEqual([
      'wsl',
      '',
      'silo4',
      'cc3550',
    ]);
  });

  test.each(['> ', '> > > ', '>>', 'AB> ', '> AB> '])('mail may have quoted it with %j', (mark) => {
    const quoted = `${BRAY}\n${CSV_1_97}`.replaceAll(/^/gm, mark);
    expect(labelsOf(quoted)).toEqual(['', 'cc3550']);
  });

  test('lines may end as on Windows, and a byte order mark may come first', () => {
    expect(labelsOf(`\uFEFF${CSV_1_97}\r\n${CSV_1_98}\r\n`)).toEqual(['cc3550', 'wsl']);
    expect(readResults(`\uFEFF${OWN_TEXT}`, 'x')[0]?.report).toEqual(OWN);
  });

  test('documents may stand in a list, of both kinds', () => {
    const results = readResults(`[${OWN_TEXT},\n ${json.end?.(OWN)}]`, 'x');
    expect(results.map(({ report }) => report)).toEqual([OWN, null]);
  });

  test('a row may begin like a list', () => {
    expect(labelsOf(`[12:00:01] bonnie++ says\n${CSV_1_97}`)).toEqual(['cc3550']);
  });

  test('documents may stand one on a line, of both kinds', () => {
    const results = readResults(`${OWN_TEXT}\n${json.end?.(OWN)}${OWN_TEXT}`, 'x');
    expect(results.map(({ report }) => report !== null)).toEqual([true, false, true]);
  });
});

describe('what cannot be read is refused in a line', () => {
  test.each([`[${OWN_TEXT},7]`, `[${OWN_TEXT},null]`, `[${OWN_TEXT},[${OWN_TEXT}]]`])(
    'a list of other things, too',
    (text) => {
      expect(() => readResults(text, 'list.json')).toThrow(
        refusal(
          'unreadable',
          'list.json cannot be read: it is a list of other things than results; give a file of --out or what --json printed',
        ),
      );
    },
  );

  const CUT = CSV_1_03.slice(0, 50);
  const WHOLE = 'take the file as it was written';
  const MEND = 'correct the line or remove it';
  test.each([
    ['nothing', '', `old.txt cannot be read: it is empty; ${WHOLE}`],
    ['blanks', ' \n\t\n', `old.txt cannot be read: it is empty; ${WHOLE}`],
    ['bytes', '\u007fELF\u0002\u0000', `old.txt cannot be read: it is binary; ${WHOLE}`],
    [
      'a cut report',
      OWN_TEXT.slice(0, 300),
      `old.txt cannot be read: it is no whole JSON document; ${WHOLE}`,
    ],
    [
      'a cut report under a whole one',
      `${OWN_TEXT}${OWN_TEXT.slice(0, 300)}`,
      `old.txt, line 2 cannot be read: it is no whole JSON document; ${WHOLE}`,
    ],
    [
      'prose',
      'It was fast: 1, 2, 3.',
      'old.txt cannot be read: it holds no results that gobonnie knows; ' +
        "show reads gobonnie's reports, gobonniego's JSON, bonnie++'s CSV lines and Bonnie's table rows",
    ],
    [
      'other JSON',
      '{"fio version": "fio-3.33"}',
      "old.txt cannot be read: it is neither a report of gobonnie nor gobonniego's document; " +
        'give a file of --out or what --json printed',
    ],
    [
      'a report of times to come',
      OWN_TEXT.replace('gobonnie/1', 'gobonnie/2'),
      'old.txt cannot be read: its schema is gobonnie/2, and not gobonnie/1; ' +
        'show it with the version of gobonnie that wrote it',
    ],
    [
      'a report that was edited',
      OWN_TEXT.replace('"seconds":0.5', '"seconds":"half"'),
      'old.txt cannot be read: its runs[0].measurements[0].seconds is wrong: ' +
        `expected number, received string; ${WHOLE}`,
    ],
    [
      'a bad row under a good one',
      `${CSV_1_03}\n\n${CUT}\n`,
      `old.txt, line 3 cannot be read: it has 12 fields where format 1.03 has 27: it is cut; ${MEND}`,
    ],
    [
      'two bad rows: the first is told',
      `${CSV_1_97.replace('77866', '?')}\n${CUT}`,
      `old.txt, line 1 cannot be read: write is "?", which is no number; ${MEND}`,
    ],
    [
      'a bad row of a table, under quotes',
      `${BRAY}x`.replaceAll(/^/gm, '> '),
      `old.txt, line 4 cannot be read: the %CPU of seeks is 0.8x, which is none: ` +
        `figures run together, or the row is cut; ${MEND}`,
    ],
  ])('%s', (_, text, line) => {
    expect(() => readResults(text, 'old.txt')).toThrow(refusal('unreadable', line));
  });

  test('the name of the file cannot steer a terminal', () => {
    expect(() => readResults('', 'a\u001b[2J.csv')).toThrow('"a\\u001b[2J.csv" cannot be read');
  });
});
