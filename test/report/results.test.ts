import { expect, test } from 'vitest';
import { byMachine, phasesOf, provenanceOf } from '../../src/report/results.js';
import { resultsOfReport } from '../../src/report/results-of-report.js';
import { reportWith, runWith } from '../support/data/fixtures.js';
import { foreignRunWith } from '../support/data/foreign-runs.js';

test('a report has one machine, even before its first run', () => {
  const results = resultsOfReport(reportWith());
  expect(byMachine([results])).toEqual([results]);
  expect(provenanceOf(results)).toEqual({
    program: { name: 'gobonnie', version: '1.0.0' },
    label: 'goldhost',
    directory: '/mnt/disk',
  });
});

test('another program’s runs are grouped by machine, in order', () => {
  const runs = ['silo4', 'silo5', 'silo4'].map((label, index) =>
    foreignRunWith({ label, figures: { read: { rate: index } } }),
  );
  const machines = byMachine([{ report: null, runs }]);
  expect(machines.map((one) => provenanceOf(one).label)).toEqual(['silo4', 'silo5']);
  expect(machines.map((one) => one.runs)).toEqual([[runs[0], runs[2]], [runs[1]]]);
});

test('runs of different programs are kept apart, even with the same name', () => {
  const runs = ['bonnie', 'bonnie++'].map((name) => foreignRunWith({ program: { name, version: null } }));
  expect(byMachine([{ report: null, runs }]).map((one) => provenanceOf(one).program.name)).toEqual([
    'bonnie',
    'bonnie++',
  ]);
});

test('figures are grouped by phase, in order of measurement, with a row for each run', () => {
  const { runs } = resultsOfReport(reportWith({ runs: [runWith(), runWith()] }));
  expect(phasesOf(runs).map((rows) => rows.map(({ phase }) => phase))).toEqual([
    ['write', 'write'],
    ['read', 'read'],
    ['iops', 'iops'],
  ]);
});
