import { expect, test } from 'vitest';
import {
  type ComparedProperty,
  comparedProperties,
  diffProperties,
  findDifferences,
  reportProperties,
} from '../../src/compare/differences.js';
import type { OptionsInput } from '../../src/options/options-schema.js';
import { emptyReport } from '../../src/run/empty-report.js';
import { GIB } from '../../src/text/units.js';
import {
  type MachineFacts,
  measurementWith,
  planWith,
  reportWith,
  runWith,
  STARTED_AT,
} from '../support/data/fixtures.js';
import { foreignRunWith, type RunFacts } from '../support/data/foreign-runs.js';

function propertiesWith(input: OptionsInput = {}, machine: MachineFacts = {}): readonly ComparedProperty[] {
  const report = emptyReport(planWith({ size: 0.5, ...input }, machine), new Date(STARTED_AT));
  return reportProperties({ ...report, runs: [runWith()] });
}

function foreignRunProperties(run: RunFacts): readonly ComparedProperty[] {
  return comparedProperties({ report: null, runs: [foreignRunWith(run)] })[0] ?? [];
}

function differingNames(
  before: readonly ComparedProperty[],
  after: readonly ComparedProperty[],
): readonly string[] {
  return diffProperties(before, after).map(({ name }) => name);
}

test('the seed, the runs, the label and the directory are not compared', () => {
  const other = propertiesWith(
    { seed: 1, runs: 5, seconds: 9, label: 'x', untilStable: 5, stallTimeout: 3 },
    { hostname: 'other', target: { directory: '/mnt/other', availableBytes: 9e9 * 50 } },
  );
  expect(diffProperties(propertiesWith(), other)).toEqual([]);
});

test('the settings of the steps that both reports have are compared', () => {
  const before = propertiesWith({ steps: 'read,name=a random,name=b,seconds=1' });
  const after = propertiesWith({ steps: 'random,name=b,seconds=2,sync-per-write=fsync write,name=c' });
  expect(differingNames(before, after)).toEqual(['syncPerWrite of b', 'seconds of b']);
});

test('an unknown number of threads differs from no number', () => {
  const unknown = foreignRunProperties({ threads: null });
  expect(differingNames(unknown, foreignRunProperties({ threads: 4 }))).toEqual([]);
  expect(differingNames(foreignRunProperties({ threads: 1 }), foreignRunProperties({ threads: 4 }))).toEqual([
    '--threads',
  ]);
});

test('an interval and a pause differ from none', () => {
  const before = propertiesWith({ steps: 'random,name=b' });
  const after = propertiesWith({ steps: 'random,name=b,interval=10ms,pause=5' });
  expect(differingNames(before, after)).toEqual(['intervalSeconds of b', 'pauseSeconds of b']);
  expect(differingNames(after, before)).toEqual(['intervalSeconds of b', 'pauseSeconds of b']);
});

test('the cache and the blocks of the whole run are no difference of a direct step', () => {
  const withCache = (applied: 'drop' | 'keep', blockSize: string) => {
    const steps = 'random,name=a,direct random,name=b,direct=false';
    const report = emptyReport(planWith({ size: 0.5, steps, blockSize }), new Date(STARTED_AT));
    return reportProperties({ ...report, cache: { ...report.cache, applied }, runs: [runWith()] });
  };
  expect(differingNames(withCache('drop', '64k'), withCache('keep', '1m'))).toEqual(['--cache of b']);
});

test('a different number of runs with direct I/O is a note, not a difference', () => {
  const withDirect = (...directs: boolean[]) => {
    const runs = directs.map((direct) =>
      runWith({ measurements: [measurementWith({ step: 'iops', direct })] }),
    );
    return { name: 'x', properties: [reportProperties(reportWith({ runs }))] };
  };
  const { differences, environmentNotes } = findDifferences(withDirect(false), withDirect(true, false));
  expect(differences).toEqual([]);
  expect(environmentNotes).toEqual([
    { name: 'number of iops runs with direct I/O', before: 'none', after: '1 of 2' },
  ]);
});

test('a step alone differs from the same step beside another', () => {
  const alone = propertiesWith({ steps: 'read,name=a' });
  const loaded = propertiesWith({ steps: 'read,name=a+write,name=b' });
  const difference = { name: 'beside of a', before: 'nothing', after: 'b' };
  expect(diffProperties(alone, loaded)).toContainEqual(difference);
});

test.each<[string, OptionsInput]>([
  ['--phases', { phases: 'write,iops' }],
  ['--threads', { threads: 3 }],
  ['--size', { size: 0.6 }],
  ['--direct', { direct: true, ioSize: 512 }],
  ['--no-fsync', { noFsync: true }],
  ['--unique or --verify', { unique: true }],
  ['--unique or --verify', { verify: true }],
  ['--byte-size', { byteSize: '20m' }],
  ['--stonewall', { stonewall: 60 }],
  ['--engine', { engine: 'uring' }],
  ['--depth', { depth: 8 }],
  ['--file-block-size', { fileBlockSize: '8k' }],
])('a different %s is a difference', (name, input) => {
  expect(differingNames(propertiesWith(), propertiesWith(input))).toContain(name);
});

test.each<[string, MachineFacts]>([
  ['platform', { arch: 'arm64' }],
  ['CPU', { cpuModel: 'Rare Processor' }],
  ['memory', { memoryLimitBytes: 8 * GIB }],
  ["Node's version", { nodeVersion: 'v24.1.0' }],
  ['filesystem', { target: { filesystem: 'xfs' } }],
  ['device', { target: { device: '/dev/vdb' } }],
  ['encryption', { target: { encryption: 'LUKS' } }],
])('a different %s is a difference', (name, machine) => {
  const before = propertiesWith({}, { target: { encryption: 'none' } });
  const target = { encryption: 'none', ...machine.target } as const;
  expect(differingNames(before, propertiesWith({}, { ...machine, target }))).toEqual([name]);
});

test('a patch release of Node and one percent of RAM are not a difference', () => {
  const other = propertiesWith({}, { nodeVersion: 'v20.20.2', memoryLimitBytes: 15.9 * GIB });
  expect(differingNames(propertiesWith(), other)).toEqual([]);
});

test('the effect of --cache counts only after a run', () => {
  const report = emptyReport(planWith(), new Date(STARTED_AT));
  const findCache = (all: readonly ComparedProperty[]) => all.find(({ name }) => name === '--cache')?.value;
  expect(findCache(reportProperties(report))).toBeNull();
  expect(findCache(reportProperties({ ...report, runs: [runWith()] }))).toBe('keep');
});

test('properties that another program does not report are not compared', () => {
  const alike = foreignRunProperties({ sizeBytes: GIB / 2, threads: 4 });
  expect(diffProperties(propertiesWith(), alike)).toEqual([]);
  const larger = foreignRunProperties({ sizeBytes: GIB, threads: 8 });
  expect(differingNames(propertiesWith(), larger)).toEqual(['--size', '--threads']);
});
