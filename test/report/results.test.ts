import { describe, expect, test } from 'vitest';
import type { OptionsInput } from '../../src/options/options-schema.js';
import { findProvenance, type RunResult, splitByMachine, toResults } from '../../src/report/results.js';
import type { Run } from '../../src/report/schema/report.js';
import { emptyReport } from '../../src/run/empty-report.js';
import { MIB } from '../../src/text/units.js';
import { version } from '../../src/version.js';
import { planWith, runWith, STARTED_AT } from '../support/data/fixtures.js';
import { foreignRunWith } from '../support/data/foreign-runs.js';

function resultsWith(options: OptionsInput, ...runs: readonly Run[]) {
  return toResults({
    ...emptyReport(planWith({ size: 0.5, threads: 2, ...options }), new Date(STARTED_AT)),
    runs: [...runs],
  });
}

function resultWith(options: OptionsInput, run: Run = runWith()): RunResult {
  const [result] = resultsWith(options, run).runs;
  if (!result) throw new Error('a run has a result');
  return result;
}

test('the result of a run has its settings', () => {
  expect({ ...resultWith({}), steps: [] }).toEqual({
    program: { name: 'gobonnie', version },
    label: 'goldhost',
    directory: '/mnt/disk',
    state: 'completed',
    startedAt: '2018-04-12T13:46:01.000Z',
    sizeBytes: 512 * MIB,
    dataFiles: 1,
    blockBytes: 65_536,
    threads: 2,
    seed: '42',
    seeks: null,
    seekThreads: null,
    synced: true,
    unlocked: false,
    files: null,
    steps: [],
  });
});

test.each<[OptionsInput, Partial<RunResult>]>([
  [{ label: 'my disk' }, { label: 'my disk' }],
  [{ dataFiles: 3 }, { dataFiles: 3 }],
  [{ blockSize: '8k' }, { blockBytes: 8192 }],
  [{ noFsync: true }, { synced: false }],
  // Each thread seeks by default.
  [
    { phases: 'write,seeks', seeks: 4000 },
    { seeks: 4000, seekThreads: 2 },
  ],
  [
    { phases: 'write,seeks', seeks: 4000, seekThreads: 3 },
    { seeks: 4000, seekThreads: 3 },
  ],
  [
    { seeks: 4000, seekThreads: 3 },
    { seeks: null, seekThreads: null },
  ],
])('a run with the options %j has the result %j', (options, facts) => {
  expect(resultWith(options)).toMatchObject(facts);
});

describe('files', () => {
  const options = {
    files: 100,
    fileKind: 'hard-links',
    fileSize: 9,
    fileMinSize: 2,
    fileBlockSize: '4k',
    directories: 4,
  } as const;
  const files = {
    count: 100,
    kind: 'hard-links',
    minBytes: 2,
    maxBytes: 9,
    directories: 4,
    blockBytes: 4096,
  };

  test.each(['create', 'create-random', 'write,create,stat,delete'])(
    'are described if the phases are %s',
    (phases) => {
      expect(resultWith({ phases, ...options }).files).toEqual(files);
    },
  );

  test('are null if no phase creates any', () => {
    expect(resultWith({ phases: 'write,read', ...options }).files).toBeNull();
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
