import { beforeEach, expect, test } from 'vitest';
import { csvTable, seriesCsv } from '../../../src/format/data/csv.js';
import { metrics } from '../../../src/report/metrics.js';
import { toResults } from '../../../src/report/results.js';
import type { Report } from '../../../src/report/schema/report.js';
import { escapeFormula, sanitize } from '../../../src/text/escape.js';
import { hasControlCharacters } from '../../faults/output-violations.js';
import { measurementWith, reportWith, runWith } from '../../support/data/fixtures.js';
import { roundTripUtf8 } from '../../support/data/hostile.js';
import { requireTools } from '../../support/tools.js';
import { hostileReports } from '../reports.js';
import { readCsvCells, readCsvRows } from './read-csv.js';

beforeEach(requireTools('python3'));

const whole = (report: Report) => csvTable([toResults(report)]);

const STOPPED = reportWith({
  runs: [runWith(), runWith({ state: 'incomplete', measurements: [measurementWith()] })],
  outcome: { state: 'aborted', reason: 'SIGINT' },
});

test('every phase of every complete run has a row, or of a stopped run if no run is complete', () => {
  const rows = readCsvRows(whole(STOPPED));
  expect(rows.map(({ run, step, state }) => [run, step, state])).toEqual([
    ['1', 'write', 'completed'],
    ['1', 'read', 'completed'],
    ['1', 'iops', 'completed'],
  ]);
  const stopped = readCsvRows(whole({ ...STOPPED, runs: STOPPED.runs.slice(1) }));
  expect(stopped.map(({ step, state }) => [step, state])).toEqual([['write', 'incomplete']]);
  expect(rows[0]).toMatchObject({
    label: 'goldhost',
    directory: '/mnt/disk',
    program: 'gobonnie',
    version: '1.0.0',
    started_at: '2018-04-12T13:46:01.000Z',
    title: 'Sequential Write',
  });
});

test('every metric is a column in its base unit, empty if unknown', () => {
  const [write, , iops] = readCsvRows(whole(STOPPED));
  expect(write).toMatchObject({
    rate_bytes_per_second: '1073741824',
    timed_bytes_per_second: '1073741824',
    rate_operations_per_second: '',
    throughput_bytes_per_second: '1073741824',
    throughput_operations_per_second: '16384',
    latency_min_seconds: '0.0000465',
    latency_mean_seconds: '0.0000596',
    latency_p50_seconds: '0.000059904',
    latency_p9999_seconds: '0.000121',
    latency_max_seconds: '0.000121',
    device_ratio: '1',
    cpu_ratio: '0.75',
    duration_seconds: '0.5',
    moved_bytes: '536870912',
    operations: '8192',
  });
  expect(iops).toMatchObject({ rate_bytes_per_second: '', rate_operations_per_second: '20000' });
  // The three main rates and the page cache ceiling each have two columns: bytes and operations.
  expect(Object.keys(write ?? {})).toHaveLength(
    'label,directory,program,version,run,started_at,state,step,title'.split(',').length + metrics.length + 4,
  );
});

test('the rate of a phase that the page cache served is only in the column for rates as timed', () => {
  const { device } = measurementWith();
  const cached = measurementWith({ device: { ...device, share: 0.5 } });
  const rows = readCsvRows(whole(reportWith({ runs: [runWith({ measurements: [cached] })] })));
  expect(rows).toMatchObject([{ rate_bytes_per_second: '', timed_bytes_per_second: '1073741824' }]);
});

test('several reports are one table', () => {
  const text = csvTable([toResults(STOPPED), toResults({ ...STOPPED, label: 'other' })]);
  const runs = readCsvRows(text).map(({ label, run }) => `${label} ${run}`);
  const ofHost = (name: string) => [1, 1, 1].map((run) => `${name} ${run}`);
  expect(runs).toEqual([...ofHost('goldhost'), ...ofHost('other')]);
});

test('lines end as in RFC 4180, and only fields that need quotes have them', () => {
  const text = whole({ ...STOPPED, label: 'a "quoted", name' });
  expect(text).toMatch(/^(?:[^\r\n]+\r\n)+$/);
  expect(text.match(/"/g)).toHaveLength(3 * '""""""'.length);
  expect(text).toContain('\r\n"a ""quoted"", name",/mnt/disk,');
});

test('names with special characters are read back unchanged, and no name starts a formula', () => {
  const reports = hostileReports(25);
  const text = reports.map(whole).join('');
  expect(hasControlCharacters(text.replaceAll('\r\n', '\n'))).toBe(false);
  const [, ...rows] = readCsvCells(text);
  const expected = (name: string) => roundTripUtf8(escapeFormula(sanitize(name)));
  const wanted = reports.flatMap(({ label, target, version, runs }) =>
    runs.flatMap(({ measurements }) =>
      measurements.map(({ step, title }) => [label, target.directory, version, step, title].map(expected)),
    ),
  );
  const read = rows.filter(([label]) => label !== 'label').map((row) => [0, 1, 3, 7, 8].map((at) => row[at]));
  expect(read).toEqual(wanted);
  expect(rows.flat().filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
});

const series = {
  seconds: [0.1, 0.2],
  bytes: [100, 100],
  operations: [10, 10],
  latencyNs: { p50: [2000, null], p99: [30_000, null], max: [4_000_000, null] },
};

test('in csv-series, every sample of every phase has a line in base units; latencies are empty if no operation ended', () => {
  const { latencyNs, ...without } = series;
  const report = reportWith({
    label: '=goldhost, "x"',
    runs: [
      runWith({ measurements: [measurementWith({ series })] }),
      runWith({ state: 'incomplete', measurements: [measurementWith({ step: 'read', series: without })] }),
    ],
  });
  expect(seriesCsv([toResults(report)]).split('\r\n')).toEqual([
    'label,directory,run,step,seconds,bytes,operations,latency_p50_seconds,latency_p99_seconds,latency_max_seconds',
    `"'=goldhost, ""x""",/mnt/disk,1,write,0.1,100,10,0.000002,0.00003,0.004`,
    `"'=goldhost, ""x""",/mnt/disk,1,write,0.2,100,10,,,`,
    `"'=goldhost, ""x""",/mnt/disk,2,read,0.1,100,10,,,`,
    `"'=goldhost, ""x""",/mnt/disk,2,read,0.2,100,10,,,`,
    '',
  ]);
});
