import { expect, test } from 'vitest';
import { renderReport, reportFormats } from '../../../src/format/index.js';
import type { RunResult } from '../../../src/report/results.js';
import type { Report } from '../../../src/report/schema/report.js';
import { GIB, MB } from '../../../src/text/units.js';
import { version } from '../../../src/version.js';
import { gobonnieErrorWith, measurementWith, reportWith, runWith } from '../../support/data/fixtures.js';
import { foreignRunWith, kib, type ValuesByPhase } from '../../support/data/foreign-runs.js';
import { DOCUMENT_KEYS, RESULT_KEYS } from '../../support/data/gobonniego.js';

function jsonText(facts: Partial<Report>): string {
  return renderReport(reportFormats.json, reportWith(facts));
}

test("the document has gobonniego's keys in its order, and times have no fraction, which jq rejects", () => {
  const incomplete = runWith({ state: 'incomplete', measurements: [measurementWith()] });
  const document = JSON.parse(jsonText({ runs: [runWith(), incomplete] }));
  expect(Object.keys(document)).toEqual(DOCUMENT_KEYS);
  expect(Object.keys(document.results[0])).toEqual(RESULT_KEYS);
  expect(document).toEqual({
    version,
    start_time: '2018-04-12T13:46:00Z',
    gobonniego_directory: '/mnt/disk',
    disk_space_used_gib: 0.5,
    num_readers_and_writers: 4,
    physical_memory_bytes: 16 * GIB,
    iops_duration_seconds: 0.5,
    results: [
      {
        write_megabytes_per_second: 1073.741824,
        read_megabytes_per_second: 2147.483648,
        iops: 20_000,
        write_seconds: 0.5,
        read_seconds: 0.25,
        io_seconds: 0.5,
        start_time: '2018-04-12T13:46:01Z',
        write_bytes: 536_870_912,
        read_bytes: 536_870_912,
        io_operations: 10_000,
      },
    ],
  });
});

test('the document is a single line, and control characters are escaped and read back unchanged', () => {
  const path = '/a\nb\u009b2J\u007f\u202e\u061c\u2028\u{e0041}ü💾';
  const text = jsonText({ runs: [runWith()], target: { ...reportWith().target, scratchDirectory: path } });
  expect(text.indexOf('\n')).toBe(text.length - 1);
  expect(text).toContain('"/a\\nb\\u009b2J\\u007f\\u202e\\u061c\\u2028\\udb40\\udc41ü💾"');
  expect(JSON.parse(text).gobonniego_directory).toBe(path);
});

const VALUES: ValuesByPhase = {
  write: { rate: 1000 * MB, amount: GIB / 2, seconds: 0.5 },
  read: { rate: 2000 * MB, amount: GIB / 2, seconds: 0.25 },
  iops: { rate: 20_000, amount: 10_000, seconds: 0.5 },
};
const FOREIGN_FACTS = {
  program: { name: 'gobonniego', version: '1.0.9' },
  startedAt: '2018-04-12T13:46:00.274Z',
  sizeBytes: GIB / 2,
  threads: 4,
  values: VALUES,
};
const FOREIGN_RUN = foreignRunWith(FOREIGN_FACTS);

const printedRuns = (runs: readonly RunResult[]) =>
  reportFormats.json.render?.([{ report: null, runs }]) ?? '';

test('fields that another program does not report have Go’s zero values', () => {
  expect(JSON.parse(printedRuns([{ ...FOREIGN_RUN, startedAt: null, sizeBytes: null }]))).toMatchObject({
    start_time: '0001-01-01T00:00:00Z',
    gobonniego_directory: '',
    disk_space_used_gib: 0,
    physical_memory_bytes: 0,
    iops_duration_seconds: 0,
    version: '1.0.9',
    num_readers_and_writers: 4,
    results: [{ start_time: '0001-01-01T00:00:00Z', write_bytes: GIB / 2, iops: 20_000 }],
  });
});

test.each([
  ['iops', { ...VALUES, iops: undefined }],
  ['write', { ...VALUES, write: kib(5, 1) }],
  ['read', { ...VALUES, read: { ...VALUES.read, rate: null } }],
])('a run that lacks a value of the phase %s is rejected', (phase, values) => {
  expect(() =>
    printedRuns([FOREIGN_RUN, foreignRunWith({ ...FOREIGN_FACTS, label: 'my host', values })]),
  ).toThrow(
    gobonnieErrorWith(
      'option-invalid',
      `--format json needs the rate, the amount and the duration of ${phase}, which "my host" lacks; pass another format, such as text`,
    ),
  );
});
