import { beforeEach, expect, test } from 'vitest';
import { prometheusText } from '../../../src/format/data/prometheus.js';
import { toResults } from '../../../src/report/results.js';
import type { Report } from '../../../src/report/schema/report.js';
import { sanitize } from '../../../src/text/escape.js';
import { hasControlCharacters } from '../../faults/output-violations.js';
import { runsAt, runWith } from '../../support/data/fixtures.js';
import { foreignRunWith } from '../../support/data/foreign-runs.js';
import { pipeThrough } from '../../support/programs/pipe-through.js';
import { requireTools } from '../../support/tools.js';
import { COMPLETED, hostileReports } from '../reports.js';

beforeEach(requireTools('promtool'));

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** Returns the samples of a text. Fails if Prometheus' own parser or linter rejects the text. */
function parseSamples(text: string): readonly Sample[] {
  expect(pipeThrough('promtool', ['check', 'metrics'], text)).toBe('');
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '))
    .map((line) => {
      const [, name = '', labels = '', value] = /^(\w+)\{(.*)\} (\S+)$/u.exec(line) ?? [];
      const unquote = (quoted: string) => quoted.replace(/\\(.)/gu, '$1');
      const pairs = [...labels.matchAll(LABEL)].map(([, key = '', quoted = '']) => [key, unquote(quoted)]);
      return { name, labels: Object.fromEntries(pairs), value: Number(value) };
    });
}

const text = (report: Report) => prometheusText([toResults(report)]);
const HERE = { label: 'goldhost', directory: '/mnt/disk' };

/** Returns the values of a metric by its labels, without the label and the directory of the report. */
function findValues(samples: readonly Sample[], wanted: string): Readonly<Record<string, number>> {
  return Object.fromEntries(
    samples
      .filter(({ name }) => name === `gobonnie_${wanted}`)
      .map(({ labels: { label, directory, ...rest }, value }) => [Object.values(rest).join(' '), value]),
  );
}

test('every quantity is a metric family in its base unit', () => {
  const samples = parseSamples(text(COMPLETED));
  expect(findValues(samples, 'rate_bytes_per_second')).toEqual({ write: 1_073_741_824, read: 2_147_483_648 });
  expect(findValues(samples, 'rate_operations_per_second')).toEqual({ iops: 20_000 });
  expect(findValues(samples, 'duration_seconds')).toEqual({ write: 0.5, read: 0.25, iops: 0.5 });
  expect(findValues(samples, 'device_ratio')).toMatchObject({ write: 1 });
  expect(findValues(samples, 'cpu_ratio')).toMatchObject({ write: 0.75 });
  expect(findValues(samples, 'moved_bytes')).toMatchObject({ write: 536_870_912 });
  expect(findValues(samples, 'operations')).toMatchObject({ write: 8192 });
  for (const { labels } of samples) expect(labels).toMatchObject(HERE);
});

test('latencies are a summary with the sum and count of all operations', () => {
  const samples = parseSamples(text({ ...COMPLETED, runs: [runWith(), runWith()] }));
  expect(findValues(samples, 'latency_seconds')).toMatchObject({
    'write 0': 0.0000465,
    'write 0.5': 0.000059904,
    'write 0.99': 0.000059904,
    'write 0.9999': 0.000121,
    'write 1': 0.000121,
  });
  expect(findValues(samples, 'latency_seconds_count')).toMatchObject({ write: 2 * 8192 });
  expect(findValues(samples, 'latency_seconds_sum').write).toBeCloseTo(2 * 8192 * 59_600e-9, 9);
  expect(findValues(samples, 'latency_mean_seconds').write).toBeCloseTo(59_600e-9, 12);
});

test('a result is the mean of the complete runs', () => {
  const stopped = runsAt(7e8).map((run) => ({ ...run, state: 'incomplete' as const }));
  const runs = [...runsAt(1e8, 4e8), ...stopped];
  const outcome = { state: 'aborted', reason: 'SIGINT' } as const;
  const samples = parseSamples(text({ ...COMPLETED, runs, outcome }));
  expect(findValues(samples, 'success')).toEqual({ '': 0 });
  expect(findValues(samples, 'rate_bytes_per_second')).toEqual({ write: expect.closeTo(2e8, 0) });
  expect(findValues(samples, 'runs')).toEqual({ '': 2 });
});

test('a report in progress has its results so far, and no outcome that an alert could take for a failure', () => {
  const runs = runsAt(1e8).map((run) => ({ ...run, state: 'incomplete' as const }));
  const samples = parseSamples(text({ ...COMPLETED, runs, outcome: { state: 'running' } }));
  expect(findValues(samples, 'latency_seconds')).toMatchObject({ 'write 0.99': 0.000059904 });
  expect(findValues(samples, 'runs')).toEqual({ '': 0 });
  expect(findValues(samples, 'success')).toEqual({});
});

test('start, outcome, warnings and verdicts are metrics', () => {
  const samples = parseSamples(
    text({
      ...COMPLETED,
      warnings: [{ code: 'cliff', step: 'write', message: 'it fell', hint: 'look' }],
      expectations: [
        { condition: 'write>=1GB/s', unit: 'bytesPerSecond', bound: 1e9, actual: 1.5e9, passed: true },
        { condition: 'iops>=1M', unit: 'operationsPerSecond', bound: 1e6, actual: 2e4, passed: false },
        { condition: 'iops>=1M', unit: 'operationsPerSecond', bound: 1e6, actual: 2e4, passed: false },
      ],
    }),
  );
  expect(samples.find(({ name }) => name === 'gobonnie_info')).toEqual({
    name: 'gobonnie_info',
    labels: { ...HERE, version: '1.0.0', filesystem: 'ext4', device: '/dev/vda' },
    value: 1,
  });
  expect(findValues(samples, 'start_time_seconds')).toEqual({ '': 1_523_540_760.274 });
  expect(findValues(samples, 'success')).toEqual({ '': 1 });
  expect(findValues(samples, 'warning')).toEqual({ 'cliff write': 1 });
  expect(findValues(samples, 'expectation_met')).toEqual({ 'write>=1GB/s': 1, 'iops>=1M': 0 });
  // The collector rejects a file with two samples of the same labels.
  const places = samples.map(({ name, labels }) => JSON.stringify([name, labels]));
  expect(new Set(places).size).toBe(samples.length);
});

test('several reports of a directory have the mean of their results and the metadata of the latest report', () => {
  const later = { ...COMPLETED, startedAt: '2018-04-13T13:46:00.274Z', version: '1.0.1' };
  const samples = parseSamples(prometheusText([later, COMPLETED].map(toResults)));
  expect(findValues(samples, 'runs')).toEqual({ '': 2 });
  expect(findValues(samples, 'info')).toEqual({ '1.0.1 ext4 /dev/vda': 1 });
});

test('another program has only the metrics that it measured', () => {
  const values = { read: { rate: 5e8, cpuPercent: 20, longestNs: 2e6 } };
  const run = foreignRunWith({ label: 'silo4', values });
  const samples = parseSamples(prometheusText([{ report: null, runs: [run] }]));
  expect(samples).toEqual(
    [
      ['rate_bytes_per_second', 5e8, { step: 'read' }],
      ['throughput_bytes_per_second', 5e8, { step: 'read' }],
      ['latency_seconds', 0.002, { step: 'read', quantile: '1' }],
      ['cpu_ratio', 0.2, { step: 'read' }],
      ['runs', 1, {}],
    ].map(([name, value, labels]) => ({
      name: `gobonnie_${name}`,
      value,
      labels: { label: 'silo4', ...Object(labels) },
    })),
  );
});

test('names with special characters are read back unchanged', () => {
  const reports = hostileReports(25);
  const exposition = prometheusText(reports.map(toResults));
  expect(hasControlCharacters(exposition)).toBe(false);
  const samples = parseSamples(exposition);
  const labelsOf = (wanted: string) =>
    samples.filter(({ name }) => name === `gobonnie_${wanted}`).map(({ labels }) => labels);
  expect(labelsOf('info')).toEqual(
    reports.map(({ label, target, version }) => ({
      label: sanitize(label),
      directory: sanitize(target.directory),
      version: sanitize(version),
      filesystem: sanitize(target.filesystem ?? ''),
      device: sanitize(target.device ?? ''),
    })),
  );
  expect(labelsOf('rate_bytes_per_second').map(({ step }) => step)).toEqual(
    reports.flatMap(({ options }) => options.phases.map(sanitize)),
  );
  expect(labelsOf('expectation_met').map(({ expectation }) => expectation)).toEqual(
    reports.flatMap(({ expectations = [] }) => expectations.map(({ condition }) => sanitize(condition))),
  );
});
