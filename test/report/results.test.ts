import { expect, test } from 'vitest';
import { findProvenance, splitByMachine } from '../../src/report/results.js';
import { foreignRunWith } from '../support/data/foreign-runs.js';

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
