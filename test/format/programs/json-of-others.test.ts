import { expect, test } from 'vitest';
import { json } from '../../../src/format/programs/json.js';
import type { RunResult } from '../../../src/report/results.js';
import { GIB, MB } from '../../../src/text/units.js';
import { DOCUMENT_KEYS, RESULT_KEYS } from '../../support/data/document.js';
import { refusal } from '../../support/data/fixtures.js';
import { type FiguresByPhase, foreignRunWith, kib } from '../../support/data/foreign-runs.js';

const FIGURES: FiguresByPhase = {
  write: { rate: 1000 * MB, amount: GIB / 2, seconds: 0.5 },
  read: { rate: 2000 * MB, amount: GIB / 2, seconds: 0.25 },
  iops: { rate: 20_000, amount: 10_000, seconds: 0.5 },
};
const FACTS = {
  program: { name: 'gobonniego', version: '1.0.9' },
  startedAt: '2018-04-12T13:46:00.274Z',
  sizeBytes: GIB / 2,
  threads: 4,
  figures: FIGURES,
};
const RUN = foreignRunWith(FACTS);

const printed = (runs: readonly RunResult[]) => json.render?.([{ report: null, runs }]) ?? '';

test("runs are gobonniego's document, a result for each", () => {
  const text = printed([RUN, { ...RUN, startedAt: '2018-04-12T13:47:00.500Z' }]);
  const document = JSON.parse(text);
  expect(text.match(/\n/g)).toHaveLength(1);
  expect(Object.keys(document)).toEqual(DOCUMENT_KEYS);
  expect(Object.keys(document.results[0])).toEqual(RESULT_KEYS);
  expect(document).toMatchObject({
    version: '1.0.9',
    start_time: '2018-04-12T13:46:00Z',
    disk_space_used_gib: 0.5,
    num_readers_and_writers: 4,
  });
  expect(document.results[1]).toEqual({
    write_megabytes_per_second: 1000,
    read_megabytes_per_second: 2000,
    iops: 20_000,
    write_seconds: 0.5,
    read_seconds: 0.25,
    io_seconds: 0.5,
    start_time: '2018-04-12T13:47:00Z',
    write_bytes: GIB / 2,
    read_bytes: GIB / 2,
    io_operations: 10_000,
  });
});

test('unknown fields have Go’s zero values', () => {
  expect(JSON.parse(printed([{ ...RUN, startedAt: null, sizeBytes: null }]))).toMatchObject({
    start_time: '0001-01-01T00:00:00Z',
    gobonniego_directory: '',
    disk_space_used_gib: 0,
    physical_memory_bytes: 0,
    iops_duration_seconds: 0,
    results: [{ start_time: '0001-01-01T00:00:00Z' }],
  });
});

test.each([
  [{ ...FIGURES, iops: undefined }, 'the rate, the amount, the time of iops'],
  [{ ...FIGURES, write: kib(5, 1) }, 'the amount, the time of write'],
  [{ ...FIGURES, read: { ...FIGURES.read, rate: null } }, 'the rate of read'],
])('what is missing is told: %#', (figures, missing) => {
  expect(() => printed([RUN, foreignRunWith({ ...FACTS, label: 'my host', figures })])).toThrow(
    refusal(
      'option-invalid',
      `gobonniego's document needs ${missing}, which "my host" does not have; choose another format, such as text`,
    ),
  );
});
