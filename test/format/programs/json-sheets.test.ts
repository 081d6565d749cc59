import { expect, test } from 'vitest';
import { json } from '../../../src/format/programs/json.js';
import type { Score, Sheet } from '../../../src/report/sheet.js';
import { GIB, MB } from '../../../src/text/units.js';
import { kib, scoreWith, sheetWith } from '../../read/sheet.js';
import { DOCUMENT_KEYS, RESULT_KEYS } from '../../support/document.js';
import { refusal } from '../../support/fixtures.js';

const SCORES: Readonly<Record<string, Score>> = {
  write: scoreWith({ perSecond: 1000 * MB, amount: GIB / 2, seconds: 0.5 }),
  read: scoreWith({ perSecond: 2000 * MB, amount: GIB / 2, seconds: 0.25 }),
  iops: scoreWith({ figure: 'operations', perSecond: 20_000, amount: 10_000, seconds: 0.5 }),
};
const SHEET = sheetWith({
  program: { name: 'gobonniego', version: '1.0.9' },
  startedAt: '2018-04-12T13:46:00.274Z',
  sizeBytes: GIB / 2,
  concurrency: 4,
  scores: SCORES,
});

const printed = (sheets: readonly Sheet[]) => json.sheets?.(sheets) ?? '';

test("sheets are gobonniego's document, a result for each", () => {
  const text = printed([SHEET, { ...SHEET, startedAt: '2018-04-12T13:47:00.500Z' }]);
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

test('what no sheet knows is what a Go program leaves empty', () => {
  expect(JSON.parse(printed([{ ...SHEET, startedAt: null, sizeBytes: null }]))).toMatchObject({
    start_time: '0001-01-01T00:00:00Z',
    gobonniego_directory: '',
    disk_space_used_gib: 0,
    physical_memory_bytes: 0,
    iops_duration_seconds: 0,
    results: [{ start_time: '0001-01-01T00:00:00Z' }],
  });
});

test.each([
  [{ ...SCORES, iops: undefined }, 'the rate, the amount, the time of iops'],
  [{ ...SCORES, write: kib(5, 1) }, 'the amount, the time of write'],
  [{ ...SCORES, read: { ...SCORES.read, perSecond: null } as Score }, 'the rate of read'],
])('what is missing is told: %#', (scores, missing) => {
  expect(() => printed([SHEET, { ...SHEET, label: 'my host', scores }])).toThrow(
    refusal(
      'option-invalid',
      `gobonniego's document needs ${missing}, which "my host" does not have; choose another format, such as text`,
    ),
  );
});
