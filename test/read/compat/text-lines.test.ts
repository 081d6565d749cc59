import { expect, test } from 'vitest';
import { readTextLines } from '../../../src/read/compat/text-lines.js';
import { primaryRateOf } from '../../../src/report/rate.js';
import { resultsByPhase } from '../../support/data/foreign-runs.js';

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
      '2026/11/26 06:56:06 gobonnie starting. version: 1.0.0\nRandom Seeks: 159.7\n' +
        'IOPS of 2 runs: mean 5623, standard deviation 1029 (18.3 %), min 4895, max 6350\n' +
        'IOPS MB/s: 3\nSequential Read: 5\nTotal MB/s: 8\n',
    ),
  ).toEqual([{ seeks: 159.7 }]);
});
