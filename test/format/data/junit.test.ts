import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { compareSides } from '../../../src/compare/comparison.js';
import { junitXml } from '../../../src/format/data/junit.js';
import { toResults } from '../../../src/report/results.js';
import type { Report } from '../../../src/report/schema/report.js';
import { sanitize } from '../../../src/text/escape.js';
import { hasControlCharacters } from '../../faults/output-violations.js';
import { metricWith, sideWith } from '../../support/data/comparison-sides.js';
import { measurementWith, runWith } from '../../support/data/fixtures.js';
import { foreignRunWith } from '../../support/data/foreign-runs.js';
import { roundTripUtf8 } from '../../support/data/hostile.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { pipeThrough } from '../../support/programs/pipe-through.js';
import { requireTools } from '../../support/tools.js';
import { COMPLETED, hostileReports } from '../reports.js';

beforeEach(requireTools('xmllint', 'python3'));

const SCHEMA = fileURLToPath(new URL('junit.xsd', import.meta.url));

/** Returns the suites of a document, as Python reads them. */
const READ = `
import json, sys, xml.etree.ElementTree as tree
def case(one):
    verdicts = [[part.tag, part.get('type'), part.get('message')] for part in one]
    return [one.get('classname'), one.get('name'), float(one.get('time')), *verdicts]
def suite(one):
    return {**one.attrib, 'cases': [case(part) for part in one.iter('testcase')],
            'properties': {part.get('name'): part.get('value') for part in one.iter('property')},
            'out': one.findtext('system-out'), 'err': one.findtext('system-err')}
documents = json.load(sys.stdin)
json.dump([[suite(part) for part in tree.fromstring(text.encode()).iter('testsuite')] for text in documents], sys.stdout)`;

interface Suite extends Readonly<Record<string, unknown>> {
  readonly cases: readonly (readonly unknown[])[];
}

function parseSuites(...documents: readonly string[]): readonly (readonly Suite[])[] {
  return JSON.parse(pipeThrough('python3', ['-c', READ], JSON.stringify(documents)));
}

/** Returns xmllint's errors for documents that the schema rejects. */
function findFaults(documents: readonly string[]): string {
  const directory = makeDirectory();
  const files = documents.map((text, index) => {
    const file = path.join(directory, `${index}.xml`);
    writeFileSync(file, text);
    return file;
  });
  const args = ['--noout', '--nonet', '--schema', SCHEMA, ...files];
  const { status, stderr } = spawnSync('xmllint', args, { encoding: 'utf8' });
  return status === 0 ? '' : stderr;
}

const xml = (report: Report) => junitXml([toResults(report)]);

test('every phase of every run is a test case with its time', () => {
  const [[suite] = []] = parseSuites(xml({ ...COMPLETED, runs: [runWith(), runWith()] }));
  expect(suite).toMatchObject({
    name: 'gobonnie',
    hostname: 'goldhost',
    timestamp: '2018-04-12T13:46:00',
    tests: '6',
    failures: '0',
    errors: '0',
    skipped: '0',
    time: '2.500',
    properties: { gobonnie: '1.0.0', directory: '/mnt/disk', device: '/dev/vda', threads: '4' },
  });
  expect(suite?.cases).toEqual(
    ['gobonnie.run-1', 'gobonnie.run-2'].flatMap((group) => [
      [group, 'write', 0.5],
      [group, 'read', 0.25],
      [group, 'iops', 0.5],
    ]),
  );
  expect(suite?.out).toMatch(/^write: 1074 MB\/s\nwrite\.p50: 59\.9 µs\n/);
});

test('every condition of --expect is a test case, and an unmet condition is a failure', () => {
  const expectations = [
    { condition: 'write>=1GB/s', unit: 'bytesPerSecond', bound: 1e9, actual: 1.5e9, passed: true },
    { condition: 'read.p99<20ms', unit: 'nanoseconds', bound: 2e7, actual: 3e7, passed: false },
  ] as const;
  const text = xml({ ...COMPLETED, expectations: [...expectations] });
  const [[suite] = []] = parseSuites(text);
  expect(suite).toMatchObject({ tests: '5', failures: '1', errors: '0' });
  const message = '✗ read.p99<20ms: 30 ms (50.0 % too high)';
  expect(suite?.cases.slice(3)).toEqual([
    ['gobonnie.expect', 'write>=1GB/s', 0],
    ['gobonnie.expect', 'read.p99<20ms', 0, ['failure', 'expectation', message]],
  ]);
  expect(findFaults([text])).toBe('');
});

const FAST = [400, 402, 404];
const CACHED = { isFromDevice: false };
const OPEN = 'this run: inconclusive in';

test.each([
  [
    'a regression',
    false,
    [metricWith('write', [100, 101, 102])],
    ['failure', 'regression', 'this run is 3.98 ± 0.08 times slower'],
  ],
  [
    'noise',
    false,
    [metricWith('write', [200, 400, 600])],
    ['skipped', 'inconclusive', `${OPEN} write: cannot tell`],
  ],
  [
    'noise with --strict',
    true,
    [metricWith('write', [200, 400, 600])],
    ['failure', 'inconclusive', `${OPEN} write: cannot tell`],
  ],
  [
    'only cached rates',
    false,
    [metricWith('write', [300], CACHED)],
    ['failure', 'cached', `${OPEN} write: part of the data`],
  ],
  [
    'a cached rate beside another',
    false,
    [metricWith('write', [300], CACHED), metricWith('read', FAST)],
    ['skipped', 'cached', `${OPEN} write: part of the data`],
  ],
  ['the same rate', false, [metricWith('write', FAST)], null],
  [
    'other settings',
    false,
    [metricWith('write', FAST)],
    ['failure', 'incomparable', 'old.json and this run cannot be compared'],
  ],
] as const)(
  'every rate compared with a baseline is a test case, which fails as the exit code does, or is skipped: %s',
  (title, strict, samples, expected) => {
    const before = [metricWith('write', FAST), metricWith('read', FAST)];
    const size = (value: number) => [[{ name: '--size', value }]];
    const comparison = compareSides(
      sideWith('old.json', before, { properties: size(1) }),
      sideWith('this run', samples, { properties: size(title === 'other settings' ? 2 : 1) }),
    );
    const text = junitXml([toResults(COMPLETED)], { comparisons: [comparison], strict });
    const [[suite] = []] = parseSuites(text);
    const [kind, type, message] = expected ?? [];
    const verdict = expected ? [[kind, type, expect.stringContaining(`${message}`)]] : [];
    expect(suite?.cases[3]).toEqual(['gobonnie.baseline', 'write', 0, ...verdict]);
    const counts = { failures: kind === 'failure' ? '1' : '0', skipped: kind === 'skipped' ? '1' : '0' };
    expect(suite).toMatchObject({ tests: String(3 + samples.length), ...counts });
    expect(findFaults([text])).toBe('');
  },
);

test.each([
  [
    { state: 'failed', code: 'phase-failed', message: 'read failed', hint: 'look' },
    ['error', 'phase-failed', 'read failed; look'],
  ],
  [{ state: 'aborted', reason: 'SIGINT' }, ['error', 'aborted', 'stopped by SIGINT']],
  [{ state: 'running' }, ['error', 'running', 'still running when this was written']],
] as const)('an incomplete run is an error after the measured phases: %j', (outcome, error) => {
  const stopped = runWith({ state: 'incomplete', measurements: [measurementWith()] });
  const text = xml({ ...COMPLETED, runs: [stopped], outcome });
  const [[suite] = []] = parseSuites(text);
  expect(suite?.cases).toEqual([
    ['gobonnie.run-1', 'write', 0.5],
    ['gobonnie.run', 'completes', 0, error],
  ]);
  expect(suite).toMatchObject({ errors: '1', tests: '2' });
  expect(findFaults([text])).toBe('');
});

test('each of several reports is a test suite', () => {
  const text = junitXml([toResults(COMPLETED), toResults({ ...COMPLETED, label: '' })]);
  const [suites = []] = parseSuites(text);
  expect(suites.map(({ id, hostname }) => `${id} ${hostname}`)).toEqual(['0 goldhost', '1 localhost']);
  expect(findFaults([text])).toBe('');
});

test("another program's phases are test cases with a time of 0", () => {
  const run = foreignRunWith({ label: 'silo4', values: { read: { rate: 5e8 } } });
  const [[suite] = []] = parseSuites(junitXml([{ report: null, runs: [run] }]));
  expect(suite?.cases).toEqual([['gobonnie.run-1', 'read', 0]]);
  expect(suite?.out).toBe('read: 500 MB/s');
});

test('names with special characters are read back unchanged', () => {
  const reports = hostileReports(25);
  const documents = reports.map(xml);
  expect(documents.filter(hasControlCharacters)).toEqual([]);
  expect(findFaults(documents)).toBe('');
  const expected = (text: string) => roundTripUtf8(sanitize(text)).replace(/[\ufffe\uffff\ufffd]/g, '?');
  const suites = parseSuites(...documents);
  expect(suites).toHaveLength(reports.length);
  for (const [index, [suite]] of suites.entries()) {
    const { version, target, machine, expectations = [], options } = reports[index] ?? COMPLETED;
    expect(suite?.properties).toMatchObject({
      gobonnie: expected(version),
      directory: expected(target.directory),
      processor: expected(machine.cpuModel),
    });
    const names = suite?.cases.map(([, name]) => name);
    expect(names).toEqual(expect.arrayContaining(options.phases.map(expected)));
    expect(names).toEqual(expect.arrayContaining(expectations.map(({ condition }) => expected(condition))));
  }
});
