import { expect, test } from 'vitest';
import { textFormat } from '../../../src/format/human/text-format.js';
import type { RunResult } from '../../../src/report/results.js';
import { MB } from '../../../src/text/units.js';
import { measurementWith, reportWith, runsAt, runWith } from '../../support/data/fixtures.js';
import { foreignRunWith, perSecond } from '../../support/data/foreign-runs.js';

test.each([
  [{ bytesPerSecond: 748_218_000 }, 'Sequential Write MB/s: 748.22\n'],
  [{ bytesPerSecond: 123_456_789_012 }, 'Sequential Write MB/s: 123456.79\n'],
  [{ title: 'IOPS', primaryRate: 'operations', operationsPerSecond: 23_831.6 }, 'IOPS: 23832\n'],
  [{ title: 'Rewrite\u001b[2J\u202e' }, 'Rewrite?[2J? MB/s: 1073.74\n'],
] as const)("a phase is a line in gobonniego's format: %#", (facts, line) => {
  expect(textFormat.step?.(measurementWith(facts), reportWith())).toBe(line);
});

test.each([0, 1])('after %i runs there are no statistics', (count) => {
  const runs = Array.from({ length: count }, () => runWith());
  expect(textFormat.end?.(reportWith({ runs }))).toBe('');
});

/** Three runs with different rates, and a stopped run. */
const RUNS = [
  runAtRates(795, 900, 18_000),
  runAtRates(800, 1000, 20_000),
  runAtRates(805, 1100, 22_000),
  runWith({ state: 'incomplete', measurements: [measurementWith({ bytesPerSecond: 1 })] }),
];

function runAtRates(write: number, read: number, iops: number) {
  const measurements = [
    measurementWith({ bytesPerSecond: write * MB }),
    measurementWith({ step: 'read', title: 'Sequential Read', bytesPerSecond: read * MB }),
    measurementWith({ step: 'iops', title: 'IOPS', primaryRate: 'operations', operationsPerSecond: iops }),
  ];
  return runWith({ measurements });
}

test('after several runs, every phase has a line of statistics of the complete runs, with an interval unless it is wide', () => {
  expect(textFormat.end?.(reportWith({ runs: RUNS }))).toBe(
    [
      'Sequential Write MB/s of 3 runs: mean 799.99, 95 % interval 768.73 to 832.53, standard deviation 5.00 (0.6 % of the arithmetic mean), min 795.00, max 805.00',
      'Sequential Read MB/s of 3 runs: mean 996.66, standard deviation 100.00 (10.0 % of the arithmetic mean), min 900.00, max 1100.00',
      'IOPS of 3 runs: mean 19933, standard deviation 2000 (10.0 % of the arithmetic mean), min 18000, max 22000',
      '',
    ].join('\n'),
  );
});

test('rates that are always 0 have no coefficient of variation', () => {
  const runs = runsAt(0, 0);
  expect(textFormat.end?.(reportWith({ runs }))).toContain('standard deviation 0.00, min 0.00, max 0.00\n');
});

const reportText = (runs: readonly RunResult[]) => textFormat.render?.([{ report: null, runs }]);

test.each([
  [122.14, '122.1'],
  [999.96, '1000'],
  [1504.4, '1504'],
  [null, 'too quick to measure'],
])('%s operations per second are shown as %s', (rate, shownAs) => {
  const seeks = { rate };
  expect(reportText([foreignRunWith({ values: { seeks } })])).toBe(`Random Seeks ops/s: ${shownAs}\n`);
});

test('with several runs, each has a heading with its label, program and start time if known', () => {
  const values = { seeks: perSecond(10, 1) };
  const runs = [
    foreignRunWith({ label: 'gum07.', program: { name: 'bonnie', version: null }, values }),
    foreignRunWith({ label: 'my host', program: { name: 'bonnie++', version: '2.00a' }, values }),
    foreignRunWith({
      label: '',
      program: { name: 'gobonniego', version: '1.0.9' },
      startedAt: '2018-04-12T13:46:00.274Z',
      values,
    }),
  ];
  expect(reportText(runs)).toBe(
    [
      'gum07., bonnie:',
      'Random Seeks ops/s: 10',
      '"my host", bonnie++ 2.00a:',
      'Random Seeks ops/s: 10',
      'gobonniego 1.0.9, 2018-04-12T13:46:00.274Z:',
      'Random Seeks ops/s: 10',
      '',
    ].join('\n'),
  );
});
