import { describe, expect, test } from 'vitest';
import { toComparisonSide } from '../../src/compare/side.js';
import { renderReport, reportFormats } from '../../src/format/index.js';
import { readResults } from '../../src/read/index.js';
import { toResults } from '../../src/report/results.js';
import { gobonnieErrorWith, reportWith, runWith } from '../support/data/fixtures.js';

const CSV_1_03 =
  'silo4,2G,27330,95,62522,19,22619,6,29056,98,56311,6,159.7,0,16,3007,98,+++++,+++,+++++,+++,3087,99,+++++,+++,9173,100';
const CSV_1_97 =
  '1.97,1.97,cc3550,1,1517338312,8G,,864,99,77866,7,72051,8,2947,99,235458,14,9676,125,16,,,,,+++++,+++,+++++,+++,' +
  '+++++,+++,+++++,+++,+++++,+++,+++++,+++,14345us,2216ms,749ms,4939us,131ms,1748us,2205us,881us,689us,668us,23us,981us';
const CSV_1_98 =
  '1.98,2.00a,wsl,1,1731168315,63G,,8192,5,540,99,745124,100,980550,91,2205,99,1203968,58,+++++,+++,16,,,,,+++++,+++,' +
  '+++++,+++,+++++,+++,+++++,+++,+++++,+++,+++++,+++,16366us,5650us,12027us,4465us,1806us,478us,586us,404us,3818us,3324us,837us,3156us';
/** Returns the labels of all runs. */
function readLabels(text: string): readonly string[] {
  return readResults(text, 'old.txt').flatMap(({ runs }) => runs.map(({ label }) => label));
}

const OWN = reportWith({ runs: [runWith(), runWith({ state: 'incomplete', measurements: [] })] });
const OWN_TEXT = renderReport(reportFormats.report, OWN);

test.each([
  ['csv', 'CSV'],
  ['html', 'pages and XML'],
  ['svg', 'pages and XML'],
  ['junit', 'pages and XML'],
  ['csv-series', 'CSV'],
  ['markdown', 'Markdown'],
  ['prometheus', 'Prometheus metrics'],
] as const)("gobonnie's own %s is rejected with a hint about the accepted files", (name, noun) => {
  expect(() => readResults(renderReport(reportFormats[name], OWN), 'x')).toThrow(
    gobonnieErrorWith(
      'input-unreadable',
      `x cannot be read: gobonnie does not read its own ${noun}; use the .json or .ndjson file of --out`,
    ),
  );
});

describe('the format of a file is detected from its content', () => {
  test('a gobonnie report has its runs', () => {
    expect(readResults(OWN_TEXT, 'x')).toEqual([toResults(OWN)]);
  });

  test('a file may have Windows line endings and a byte order mark', () => {
    expect(readLabels(`\uFEFF${CSV_1_97}\r\n${CSV_1_98}\r\n`)).toEqual(['cc3550', 'wsl']);
    expect(readResults(`\uFEFF${OWN_TEXT}`, 'x')[0]?.report).toEqual(OWN);
  });

  test('each line may contain a document, of both formats', () => {
    const results = readResults(`${OWN_TEXT}\n${renderReport(reportFormats.json, OWN)}${OWN_TEXT}`, 'x');
    expect(results.map(({ report }) => report !== null)).toEqual([true, false, true]);
  });
});

test('a file may hold the results of several programs, and other text between them', () => {
  const document = renderReport(reportFormats.json, OWN);
  const text = `2026/11/30 gobonnie starting\n${document}Sequential Write MB/s: 12.5\n${CSV_1_03}\n${OWN_TEXT}`;
  const results = readResults(text, 'x');
  expect(
    results.map(({ report, runs }) => [report !== null, runs.map(({ program }) => program.name)]),
  ).toEqual([
    [false, ['gobonniego']],
    [true, ['gobonnie', 'gobonnie']],
    [false, ['bonnie++']],
    [false, ['gobonniego']],
  ]);
  expect(() => toComparisonSide('x', results.slice(2))).toThrow(
    gobonnieErrorWith(
      'option-invalid',
      "x holds results of bonnie++ and gobonniego; put each program's results in a file of its own",
    ),
  );
});

test.each(['{"level":"info"}', '{"schema":"gobonnie-event/1","type":"warning"}', '{"part'])(
  'after other text, the line %s is other text',
  (line) => {
    const runs = readResults(`job starts\n${line}\nSequential Write MB/s: 12.5\n`, 'x').flatMap(
      (one) => one.runs,
    );
    expect(runs.map(({ program }) => program.name)).toEqual(['gobonniego']);
  },
);

describe('an unreadable file is rejected with one line', () => {
  test.each([`[${OWN_TEXT},7]`, `[${OWN_TEXT},null]`, `[${OWN_TEXT},[${OWN_TEXT}]]`])(
    'an array with something other than results',
    (text) => {
      expect(() => readResults(text, 'list.json')).toThrow(
        gobonnieErrorWith(
          'input-unreadable',
          'list.json cannot be read: it is neither a gobonnie report nor a gobonniego document; use the .json or .ndjson file of --out, or the output of --json',
        ),
      );
    },
  );

  test('the output of sweep --json', () => {
    expect(() => readResults('{"knee":null,"quota":null,"points":[]}', 'sweep.json')).toThrow(
      gobonnieErrorWith(
        'input-unreadable',
        'sweep.json cannot be read: it is the output of sweep --json; use the report that sweep --out FILE.json writes',
      ),
    );
  });

  const TRUNCATED = CSV_1_03.slice(0, 50);
  const ORIGINAL = 'use the original, unedited file';
  const CORRECT = 'correct the line or remove it';
  test.each([
    ['nothing', '', `old.txt cannot be read: it is empty; ${ORIGINAL}`],
    ['blanks', ' \n\t\n', `old.txt cannot be read: it is empty; ${ORIGINAL}`],
    ['bytes', '\u007fELF\u0002\u0000', `old.txt cannot be read: it is a binary file; ${ORIGINAL}`],
    [
      'a truncated report',
      OWN_TEXT.slice(0, 300),
      `old.txt cannot be read: it is not a complete JSON document; ${ORIGINAL}`,
    ],
    [
      'a truncated report below a complete report',
      `${OWN_TEXT}${OWN_TEXT.slice(0, 300)}`,
      `old.txt, line 2 cannot be read: it is not a complete JSON document; ${ORIGINAL}`,
    ],
    [
      'prose',
      'It was fast: 1, 2, 3.',
      'old.txt cannot be read: it holds no results that gobonnie recognizes; ' +
        'use a gobonnie report, the JSON or the lines of gobonniego, or the CSV or a table of bonnie++ or Bonnie',
    ],
    [
      'other JSON',
      '{"fio version": "fio-3.33"}',
      'old.txt cannot be read: it is neither a gobonnie report nor a gobonniego document; ' +
        'use the .json or .ndjson file of --out, or the output of --json',
    ],
    [
      'a report of a later schema',
      OWN_TEXT.replace('gobonnie/1', 'gobonnie/2'),
      'old.txt cannot be read: its schema is gobonnie/2, not gobonnie/1; ' +
        'read it with the version of gobonnie that wrote it',
    ],
    [
      'an edited report',
      OWN_TEXT.replace('"seconds":0.5', '"seconds":"half"'),
      'old.txt cannot be read: its runs[0].measurements[0].seconds is invalid: ' +
        `expected number, received string; ${ORIGINAL}`,
    ],
    [
      'two damaged rows, by reporting the first row',
      `${CSV_1_97.replace('77866', '?')}\n${TRUNCATED}`,
      `old.txt, line 1 cannot be read: write is "?", expected a number; ${CORRECT}`,
    ],
  ])('%s', (_, text, line) => {
    expect(() => readResults(text, 'old.txt')).toThrow(gobonnieErrorWith('input-unreadable', line));
  });
});
