import { expect, test } from 'vitest';
import { type ComparedProperty, comparedProperties, diffProperties } from '../../src/compare/properties.js';
import type { OptionsInput } from '../../src/options/options-schema.js';
import { toResults } from '../../src/report/report-to-results.js';
import type { Report } from '../../src/report/schema/report.js';
import { emptyReport } from '../../src/run/empty-report.js';
import { GIB } from '../../src/text/units.js';
import { type MachineFacts, planWith, runWith, STARTED_AT } from '../support/data/fixtures.js';
import { foreignRunWith, type RunFacts } from '../support/data/foreign-runs.js';

function facts(input: OptionsInput = {}, machine: MachineFacts = {}): readonly ComparedProperty[] {
  const report = emptyReport(planWith({ size: 0.5, ...input }, machine), new Date(STARTED_AT));
  return factsOfReport({ ...report, runs: [runWith()] });
}

function factsOfReport(report: Report): readonly ComparedProperty[] {
  return comparedProperties(toResults(report))[0] ?? [];
}

function factsOfForeignRun(run: RunFacts): readonly ComparedProperty[] {
  return comparedProperties({ report: null, runs: [foreignRunWith(run)] })[0] ?? [];
}

function namesOf(before: readonly ComparedProperty[], after: readonly ComparedProperty[]): readonly string[] {
  return diffProperties(before, after).map(({ name }) => name);
}

test('seed, runs, label and directory make no difference', () => {
  const other = facts(
    { seed: 1, runs: 5, seconds: 9, label: 'x', untilStable: 5, stallTimeout: 3 },
    { hostname: 'other', target: { directory: '/mnt/other', availableBytes: 9e9 * 50 } },
  );
  expect(diffProperties(facts(), other)).toEqual([]);
});

test.each<[string, OptionsInput]>([
  ['--phases', { phases: 'write,iops' }],
  ['--threads', { threads: 3 }],
  ['--size', { size: 0.6 }],
  ['--iops-duration', { iopsDuration: 3 }],
  ['--block-size', { blockSize: '128k' }],
  ['--io-size', { ioSize: '4k' }],
  ['--direct', { direct: true, ioSize: 512 }],
  ['--fsync', { fsync: true }],
  ['--one-file', { oneFile: true }],
  ['--unique or --verify', { unique: true }],
  ['--unique or --verify', { verify: true }],
  ['--compressible', { compressible: 50 }],
  ['--seeks', { seeks: 100 }],
  ['--seek-threads', { seekThreads: 5 }],
  ['--data-files', { dataFiles: 2 }],
  ['--byte-size', { byteSize: '20m' }],
  ['--byte-mode', { byteMode: 'unlocked' }],
  ['--fsync-per-write', { fsyncPerWrite: true }],
  ['--files', { files: 100 }],
  ['--file-kind', { fileKind: 'symlinks' }],
  ['--file-size', { fileSize: '8k' }],
  ['--file-block-size', { fileBlockSize: '8k' }],
  ['--directories', { directories: 3 }],
])('another %s is a difference', (name, input) => {
  // By default the number of seekers is unknown, so it is compared with another number.
  const [before, after] = name === '--seek-threads' ? [{ seekThreads: 2 }, input] : [{}, input];
  expect(namesOf(facts(before), facts(after))).toContain(name);
});

test.each<[string, MachineFacts]>([
  ['platform', { arch: 'arm64' }],
  ['CPU', { cpuModel: 'Rare Processor' }],
  ['memory', { memoryLimitBytes: 8 * GIB }],
  ["Node's version", { nodeVersion: 'v24.1.0' }],
  ['filesystem', { target: { filesystem: 'xfs' } }],
  ['device', { target: { device: '/dev/vdb' } }],
  ['encryption', { target: { encryption: 'LUKS' } }],
])('another %s is a difference', (name, machine) => {
  const before = facts({}, { target: { encryption: 'none' } });
  expect(
    namesOf(before, facts({}, { ...machine, target: { encryption: 'none', ...machine.target } })),
  ).toEqual([name]);
});

test('a patch release of Node and one percent of memory make no difference', () => {
  expect(namesOf(facts(), facts({}, { nodeVersion: 'v20.20.2', memoryLimitBytes: 15.9 * GIB }))).toEqual([]);
});

test('a difference has both values, sizes with their unit', () => {
  expect(diffProperties(facts({ threads: 2 }), facts({ threads: 2, size: 1 }))).toEqual([
    { name: '--size', before: '512 MiB', after: '1 GiB' },
  ]);
});

test('how --cache was carried out counts only after a run', () => {
  const report = emptyReport(planWith(), new Date(STARTED_AT));
  const cacheOf = (all: readonly ComparedProperty[]) => all.find(({ name }) => name === '--cache')?.value;
  expect(cacheOf(factsOfReport(report))).toBeNull();
  expect(cacheOf(factsOfReport({ ...report, runs: [runWith()] }))).toBe('keep');
});

test('facts that another program does not report are not compared', () => {
  const alike = factsOfForeignRun({ sizeBytes: GIB / 2, threads: 4 });
  expect(diffProperties(facts(), alike)).toEqual([]);
  expect(namesOf(facts(), factsOfForeignRun({ sizeBytes: GIB, threads: 8 }))).toEqual([
    '--threads',
    '--size',
  ]);
});
