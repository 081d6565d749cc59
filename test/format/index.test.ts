import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cliOptionCatalogue } from '../../src/cli/argv/cli-catalogue.js';
import { csvTable, seriesCsv } from '../../src/format/data/csv.js';
import {
  type FormatName,
  formatsByExtension,
  hiddenStepsNote,
  parseFormatName,
  rejectUnsuitableFormat,
  renderReports,
  reportFormats,
} from '../../src/format/index.js';
import { toResults } from '../../src/report/results.js';
import { gobonnieErrorWith, reportWith, runWith } from '../support/data/fixtures.js';
import { ROOT } from '../support/root.js';

const PAGE = readFileSync(path.join(ROOT, 'docs/formats.md'), 'utf8');

/** docs/bonnie-compatibility.md describes the formats of bonnie++ and its relatives. */
const OWN = Object.keys(reportFormats).filter((name) => !name.startsWith('bonnie'));

test('docs/formats.md names every format, every extension and every column of the CSV files', () => {
  expect(OWN.filter((name) => !PAGE.includes(`\`${name}\``))).toEqual([]);
  expect(Object.keys(formatsByExtension).filter((end) => !PAGE.includes(`\`${end}\``))).toEqual([]);
  expect(PAGE).toContain(seriesCsv([]).trim());
  const [header = ''] = csvTable([]).split('\r\n');
  const named = PAGE.replace(/(\w*)\{([\w,]+)\}(\w*)/g, (_, before: string, names: string, after: string) =>
    names
      .split(',')
      .map((name) => before + name + after)
      .join(' '),
  );
  expect(header.split(',').filter((name) => !named.includes(name))).toEqual([]);
});

test('an unknown format is rejected, and the error names every format', () => {
  expect(() => parseFormatName('xml')).toThrow(
    gobonnieErrorWith(
      'option-invalid',
      `unknown --format xml; pass one of ${Object.keys(reportFormats).join(', ')}`,
    ),
  );
});

const chosenPhases = (names: string) => ({ phases: names.split(',') });

test.each<[FormatName, string, string]>([
  [
    'json',
    'write,rewrite,iops',
    'needs the phases write, read, iops; missing: read; pass --format report or ',
  ],
  ['json', 'create,delete', 'needs the phases write, read, iops; missing: write, read, iops; pass --format'],
  [
    'bonnie',
    'create,stat,delete',
    'shows none of --phases create,stat,delete; pass another --format, such as ',
  ],
  ['bonnie-bray', 'create', 'shows none of --phases create; '],
  ['bonnie-html', 'create-random', 'shows none of --phases create-random; '],
  ['crystaldiskmark', 'write,read,iops', 'shows none of --phases write,read,iops; '],
])('the format %s rejects the phases %s, because it %s', (name, phases, reason) => {
  expect(() => rejectUnsuitableFormat(name, chosenPhases(phases))).toThrow(
    gobonnieErrorWith('option-invalid', expect.stringContaining(`--format ${name} ${reason}`)),
  );
});

test.each<[FormatName, string, readonly string[]]>([
  ['json', 'write,rewrite,read,iops', []],
  ['bonnie', 'write,read,iops', ['gobonnie: --format bonnie does not show iops']],
  ['bonnie++', 'create', []],
  ['bonniego', 'write,rewrite', []],
])('the format %s accepts the phases %s, with the note %j', (name, phases, note) => {
  rejectUnsuitableFormat(name, chosenPhases(phases));
  expect(hiddenStepsNote(name, chosenPhases(phases))).toEqual(note);
});

const READ = { phase: 'read', name: 'seq1m.read' };
const RANDOM = { phase: 'random', name: 'rnd4k.mix' };

test.each<FormatName>(['yabs', 'yabs-json', 'bonnie'])('the format %s rejects a sequential step', (name) => {
  expect(() => rejectUnsuitableFormat(name, { phases: [], steps: [READ] })).toThrow(
    gobonnieErrorWith(
      'option-invalid',
      `--format ${name} shows none of these steps; pass another --format, such as text or csv`,
    ),
  );
});

test.each<[FormatName, readonly string[]]>([
  ['yabs', ['gobonnie: --format yabs does not show seq1m.read']],
  ['crystaldiskmark', []],
  ['csv', []],
])('the format %s accepts sequential and random steps, with the note %j', (name, note) => {
  const options = { phases: [], steps: [READ, RANDOM] };
  rejectUnsuitableFormat(name, options);
  expect(hiddenStepsNote(name, options)).toEqual(note);
});

test('the formats and extensions in the help exist', () => {
  const { format, out } = cliOptionCatalogue;
  const names = format.help.match(/such as (.*?) \(/)?.[1]?.split(/, | or /) ?? [];
  expect(Object.keys(reportFormats)).toEqual(expect.arrayContaining(names));
  expect(Object.keys(formatsByExtension)).toEqual(
    expect.arrayContaining(out.help.match(/(?<= )\.\w+/g) ?? []),
  );
});

test('several reports are one document or one stream; full reports are a list', () => {
  const reports = ['/a', '/b'].map((directory) => {
    const report = reportWith({ runs: [runWith()] });
    return { ...report, target: { ...report.target, directory } };
  });
  expect(renderReports(reportFormats.csv, reports)).toBe(csvTable(reports.map(toResults)));
  expect(renderReports(reportFormats.ndjson, reports).match(/"type":"start"/g)).toHaveLength(2);
  expect(JSON.parse(renderReports(reportFormats.report, reports))).toEqual(reports);
});
