import { expect, test } from 'vitest';
import { toResults } from '../../src/report/report-to-results.js';
import { findProvenance, groupByPhase, splitByMachine } from '../../src/report/results.js';
import { reportWith, runWith } from '../support/data/fixtures.js';
import { foreignRunWith } from '../support/data/foreign-runs.js';

test('a report has one machine, even before its first run', () => {
  const results = toResults(reportWith());
  expect(splitByMachine([results])).toEqual([results]);
  expect(findProvenance(results)).toEqual({
    program: { name: 'gobonnie', version: '1.0.0' },
    label: 'goldhost',
    directory: '/mnt/disk',
  });
});

test("another program's runs are grouped by machine, in order", () => {
  const runs = ['silo4', 'silo5', 'silo4'].map((label, index) =>
    foreignRunWith({ label, values: { read: { rate: index } } }),
  );
  const machines = splitByMachine([{ report: null, runs }]);
  expect(machines.map((one) => findProvenance(one).label)).toEqual(['silo4', 'silo5']);
  expect(machines.map((one) => one.runs)).toEqual([[runs[0], runs[2]], [runs[1]]]);
});

test('runs of different programs are kept apart, even with the same name', () => {
  const runs = ['bonnie', 'bonnie++'].map((name) => foreignRunWith({ program: { name, version: null } }));
  expect(splitByMachine([{ report: null, runs }]).map((one) => findProvenance(one).program.name)).toEqual([
    'bonnie',
    'bonnie++',
  ]);
});

test('results are grouped by phase, in order of measurement, with a row for each run', () => {
  const { runs } = toResults(reportWith({ runs: [runWith(), runWith()] }));
  expect(groupByPhase(runs).map((rows) => rows.map(({ phase }) => phase))).toEqual([
    ['write', 'write'],
    ['read', 'read'],
    ['iops', 'iops'],
  ]);
});
