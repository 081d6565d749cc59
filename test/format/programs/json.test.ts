import { expect, test } from 'vitest';
import { json } from '../../../src/format/programs/json.js';
import type { Report } from '../../../src/report/schema/report.js';
import { GIB } from '../../../src/text/units.js';
import { version } from '../../../src/version.js';
import { DOCUMENT_KEYS, RESULT_KEYS, RFC_3339_UTC } from '../../support/data/document.js';
import { measurementWith, reportWith, runWith } from '../../support/data/fixtures.js';

function printed(facts: Partial<Report>): string {
  return json.end?.(reportWith(facts)) ?? '';
}

test("the document has gobonniego's keys in gobonniego's order, and no other", () => {
  const document = JSON.parse(printed({ runs: [runWith()] }));
  expect(Object.keys(document)).toEqual(DOCUMENT_KEYS);
  expect(Object.keys(document.results[0])).toEqual(RESULT_KEYS);
});

test('every figure stands under its own key', () => {
  expect(JSON.parse(printed({ runs: [runWith()] }))).toEqual({
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

test('it is one line with a newline at its end, even when a path has one', () => {
  const { target } = reportWith();
  const text = printed({ runs: [runWith(), runWith()], target: { ...target, scratchDirectory: '/a\nb' } });
  expect(text.match(/\n/g)).toHaveLength(1);
  expect(text.endsWith('}\n')).toBe(true);
  expect(JSON.parse(text).gobonniego_directory).toBe('/a\nb');
});

test('control characters are escaped, and mean the same', () => {
  const path = '/\u009b2J\u007f\u202e\u061c\u2028\u{e0041}ü💾';
  const text = printed({ runs: [runWith()], target: { ...reportWith().target, scratchDirectory: path } });
  expect(text).toContain('"/\\u009b2J\\u007f\\u202e\\u061c\\u2028\\udb40\\udc41ü💾"');
  expect(JSON.parse(text).gobonniego_directory).toBe(path);
});

test('times are such as jq can read', () => {
  const { start_time, results } = JSON.parse(printed({ runs: [runWith()] }));
  expect([start_time, results[0].start_time]).toEqual([
    expect.stringMatching(RFC_3339_UTC),
    expect.stringMatching(RFC_3339_UTC),
  ]);
});

test('the results are the complete runs, in their order', () => {
  const runs = [
    runWith({ startedAt: '2018-04-12T00:00:01.000Z' }),
    runWith({ startedAt: '2018-04-12T00:00:02.000Z' }),
    runWith({
      startedAt: '2018-04-12T00:00:03.000Z',
      state: 'incomplete',
      measurements: [measurementWith()],
    }),
  ];
  const { results } = JSON.parse(printed({ runs, outcome: { state: 'aborted', reason: 'SIGINT' } }));
  expect(results.map(({ start_time }: { start_time: string }) => start_time)).toEqual([
    '2018-04-12T00:00:01Z',
    '2018-04-12T00:00:02Z',
  ]);
});

test('a run that failed at once still leaves a document', () => {
  const outcome = { state: 'failed', code: 'phase-failed', message: 'EIO', hint: 'see dmesg' } as const;
  expect(JSON.parse(printed({ runs: [], outcome })).results).toEqual([]);
});

test('nothing is printed before the end', () => {
  expect(json.phase).toBeUndefined();
});

test('a complete run that lacks a phase is refused, with what is missing', () => {
  expect(() => printed({ runs: [runWith({ measurements: [measurementWith()] })] })).toThrow(
    'needs the rate, the amount, the time of read, which goldhost does not have',
  );
});
