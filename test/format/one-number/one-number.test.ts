import { describe, expect, test } from 'vitest';
import { readResults } from '../../../src/read/index.js';
import type { Report } from '../../../src/report/schema/report.js';
import { slowDown, variedReports } from '../reports.js';
import { expectedFigures, expectFigure, type Figure } from './expected.js';
import * as data from './read-data.js';
import * as text from './read-text.js';

interface Output {
  /** Returns the figures that the output of a report shows. */
  readonly read: (report: Report) => readonly Figure[];
  /** The reports for which it shows figures. */
  readonly of: readonly string[];
}

const ALL = Object.keys(variedReports);
const select = (pattern: RegExp) => ALL.filter((name) => pattern.test(name));
const COMPLETED = ALL.filter((name) => !name.includes('first run'));
const WITH_CEILINGS = select(/^(five|two) runs/);

const OUTPUTS: Readonly<Record<string, Output>> = {
  table: { read: text.readTables, of: COMPLETED },
  'the rates of a job': { read: text.readDoneLines, of: select(/job/) },
  markdown: { read: text.readMarkdown, of: ALL },
  html: { read: text.readPage, of: ALL },
  svg: { read: text.readPicture, of: ALL },
  chart: { read: text.readChart, of: ALL },
  text: { read: text.readStatisticsLines, of: select(/^(five|two) runs|job|fourth/) },
  'the log with -v': { read: text.readLog, of: WITH_CEILINGS },
  'the points of a sweep': { read: text.readSweep, of: select(/sweep/) },
  '--expect': { read: data.readExpectations, of: COMPLETED },
  'the statistics of the report': { read: data.readStatistics, of: COMPLETED },
  junit: { read: data.readJunit, of: ALL },
  prometheus: { read: data.readPrometheus, of: COMPLETED },
  bencher: { read: data.readBencher, of: COMPLETED },
  'github-throughput and github-latency': { read: data.readGithubBenchmarks, of: COMPLETED },
  'the ceilings of csv': { read: data.readCeilings, of: WITH_CEILINGS },
  crystaldiskmark: { read: data.readCrystalDiskMark, of: select(/quick|third run/) },
  'yabs-json': { read: data.readYabs, of: select(/mixed/) },
};

describe.each(Object.entries(variedReports))('of %s', (name, report) => {
  const expected = expectedFigures(report);
  const outputs = Object.entries(OUTPUTS).filter(([, { of }]) => of.includes(name));

  test.each(outputs)(
    '%s shows the same means, intervals, shares, ceilings and percentiles as every other output',
    (_, { read }) => {
      const figures = read(report);
      expect(figures.length).toBeGreaterThan(0);
      for (const figure of figures) expectFigure(figure, expected);
    },
  );

  test.runIf(COMPLETED.includes(name))(
    'compare, ab and their pages show the same means of both sides',
    () => {
      const slower = slowDown(report);
      const comparisons = text.readComparisons(report, slower);
      expect(comparisons.length).toBeGreaterThan(0);
      const expectedAfter = expectedFigures(slower);
      for (const { before, after } of comparisons) {
        expectFigure(before, expected);
        expectFigure(after, expectedAfter);
      }
    },
  );

  test('every output of the report that was read back is the same', () => {
    const [readBack] = readResults(JSON.stringify(report), 'report.json');
    expect(readBack?.report).toEqual(JSON.parse(JSON.stringify(report)));
    for (const [, { read }] of outputs) expect(read(readBack?.report ?? report)).toEqual(read(report));
  });
});
