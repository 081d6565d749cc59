import { expect, test } from 'vitest';
import { readTextLines, toGobonniegoRuns } from '../../../src/read/compat/gobonniego.js';
import { primaryRateOf } from '../../../src/report/rate.js';
import { GIB } from '../../../src/text/units.js';
import { foreignRunWith, resultsByPhase } from '../../support/data/foreign-runs.js';
import { DOCUMENT, RESULT } from '../../support/data/gobonniego.js';

test('a document has one run for each result', () => {
  const later = { ...RESULT, iops: 1, start_time: '2018-04-12T13:47:00Z' };
  const runs = toGobonniegoRuns({ ...DOCUMENT, results: [RESULT, later] });
  expect(runs).toHaveLength(2);
  expect(runs[0]).toEqual(
    foreignRunWith({
      program: { name: 'gobonniego', version: '1.0.9' },
      label: '',
      startedAt: '2018-04-12T13:46:00.274Z',
      sizeBytes: GIB / 2,
      dataFiles: 4,
      threads: 4,
      values: {
        write: { rate: 1_312_827_466.290_527_6, amount: 536_870_912, seconds: 0.408942474 },
        read: { rate: 8_279_508_528.024_262, amount: 536_870_912, seconds: 0.064843331 },
        iops: { rate: 382_508.716_170_513_13, amount: 277_170, seconds: 0.724610939 },
      },
    }),
  );
  expect(runs[1]).toMatchObject({ startedAt: '2018-04-12T13:47:00.000Z' });
  expect(resultsByPhase(runs[1]).iops?.operationsPerSecond).toBe(1);
});

test('a document of 1.0.7 has no start times and is in nanoseconds', () => {
  const { write_seconds, read_seconds, io_seconds, start_time, ...others } = RESULT;
  const times = { write_nanoseconds: 333716345, read_nanoseconds: 45816888, io_nanoseconds: 721554345 };
  const { start_time: _, ...document } = DOCUMENT;
  const [run] = toGobonniegoRuns({ ...document, results: [{ ...others, ...times }] });
  expect(run?.startedAt).toBeNull();
  expect(resultsByPhase(run)).toMatchObject({
    write: { seconds: 0.333716345 },
    read: { seconds: 0.045816888 },
    iops: { seconds: 0.721554345 },
  });
});

test('a result without a time has the time of the document', () => {
  const { start_time: _, ...untimed } = RESULT;
  expect(toGobonniegoRuns({ ...DOCUMENT, results: [untimed] })[0]?.startedAt).toBe(
    '2018-04-12T13:46:00.274Z',
  );
});

test.each([
  [{ results: 'none' }, 'its results is invalid: expected array, received string'],
  [{ results: [RESULT, {}] }, 'its results[1].write_megabytes_per_second is invalid: expected'],
  [{ results: [{ ...RESULT, iops: -1 }] }, 'its results[0].iops is invalid: '],
  [{ start_time: 'yesterday' }, 'its start_time is invalid: '],
  [{ disk_space_used_gib: 1e300 }, 'its disk_space_used_gib is invalid: Too big'],
  [{ results: [{ ...RESULT, read_megabytes_per_second: 1e303 }] }, 'its results[0].read_megabytes'],
])('an invalid field is rejected with its path: %j', (fields, reason) => {
  expect(() => toGobonniegoRuns({ ...DOCUMENT, ...fields })).toThrow(reason);
});

const rates = (text: string) =>
  readTextLines(text).map(({ steps }) =>
    Object.fromEntries(steps.map((step) => [step.step, primaryRateOf(step)])),
  );

test('the lines of gobonniego are the rates of a run, and a repeated title begins the next run', () => {
  const run = 'Sequential Write MB/s: 1229.10\nSequential Read MB/s: 2147.48\nIOPS: 20000\n';
  expect(rates(run + run.replace('20000', '812.5'))).toEqual([
    { write: 1_229_100_000, read: 2_147_480_000, iops: 20_000 },
    { write: 1_229_100_000, read: 2_147_480_000, iops: 812.5 },
  ]);
});

test("bonniego's lines are in MiB", () => {
  const [run] = readTextLines('Sequential Write MiB/s: 1229.50\r\nIOPS: 7\r\n');
  expect(run?.program).toEqual({ name: 'bonniego', version: null });
  expect(resultsByPhase(run)).toMatchObject({
    write: { bytesPerSecond: 1229.5 * 1024 ** 2 },
    iops: { operationsPerSecond: 7 },
  });
});

test('the statistics, the log and other text are no results', () => {
  expect(
    rates(
      '2026/11/26 06:56:06 gobonnie starting. version: 1.0.0\nRandom Seeks: 159.7\nRandom Stat ops/s: 5\n' +
        'IOPS of 2 runs: mean 5623, standard deviation 1029 (18.3 % of the arithmetic mean), min 4895, max 6350\n' +
        'IOPS MB/s: 3\nSequential Read: 5\nTotal MB/s: 8\n',
    ),
  ).toEqual([{ seeks: 159.7, 'stat-random': 5 }]);
});
