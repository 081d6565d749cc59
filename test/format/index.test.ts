import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { presentationCatalogue } from '../../src/cli/argv/presentation-catalogue.js';
import { formats, formatsByExtension, renderReports } from '../../src/format/index.js';
import { csv } from '../../src/format/programs/csv.js';
import { resultsOfReport } from '../../src/report/results-of-report.js';
import { reportWith, runWith } from '../support/fixtures.js';
import { ROOT } from '../support/root.js';

const PAGE = readFileSync(path.join(ROOT, 'docs/formats.md'), 'utf8');

/** What the ancestors print is told elsewhere. */
const OWN = Object.keys(formats).filter((name) => !name.startsWith('bonnie'));

test('every format and every extension has its place on the page, and every column of the CSV', () => {
  expect(OWN.filter((name) => !PAGE.includes(`\`${name}\``))).toEqual([]);
  expect(Object.keys(formatsByExtension).filter((end) => !PAGE.includes(`\`${end}\``))).toEqual([]);
  const [header = ''] = (csv.render?.([]) ?? '').split('\r\n');
  const told = PAGE.replace(/(\w*)\{([\w,]+)\}(\w*)/g, (_, before: string, names: string, after: string) =>
    names
      .split(',')
      .map((name) => before + name + after)
      .join(' '),
  );
  expect(header.split(',').filter((name) => !told.includes(name))).toEqual([]);
});

test('the help names them, too', () => {
  const { format, out } = presentationCatalogue;
  expect(OWN.filter((name) => !format.help.includes(name))).toEqual([]);
  expect(Object.keys(formatsByExtension).filter((end) => !out.help.includes(end))).toEqual([]);
});

test('several reports are one document or one stream, and in JSON a list', () => {
  const reports = ['/a', '/b'].map((directory) => {
    const report = reportWith({ runs: [runWith()] });
    return { ...report, target: { ...report.target, directory } };
  });
  expect(renderReports(formats.csv, reports)).toBe(csv.render?.(reports.map(resultsOfReport)));
  expect(renderReports(formats.ndjson, reports).match(/"type":"start"/g)).toHaveLength(2);
  expect(JSON.parse(renderReports(formats.report, reports))).toEqual(reports);
});
