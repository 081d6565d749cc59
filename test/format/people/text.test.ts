import { expect, test } from 'vitest';
import { text } from '../../../src/format/people/text.js';
import { MB } from '../../../src/text/units.js';
import { measurementWith, reportWith, runWith } from '../../support/data/fixtures.js';

test.each([
  [measurementWith({ bytesPerSecond: 748_218_000 }), 'Sequential Write MB/s: 748.22\n'],
  [
    measurementWith({ title: 'Sequential Read', bytesPerSecond: 1_025_190_000 }),
    'Sequential Read MB/s: 1025.19\n',
  ],
  [measurementWith({ title: 'IOPS', figure: 'operations', operationsPerSecond: 23_831.6 }), 'IOPS: 23832\n'],
])("a phase is one of gobonniego's lines: %#", (measurement, line) => {
  expect(text.phase?.(measurement)).toBe(line);
});

test('a rate is told in decimal megabytes, whichever its size', () => {
  const lines = [4_999, 5_001, 123_456_789_012].map((bytesPerSecond) =>
    text.phase?.(measurementWith({ bytesPerSecond })),
  );
  expect(lines).toEqual([
    'Sequential Write MB/s: 0.00\n',
    'Sequential Write MB/s: 0.01\n',
    'Sequential Write MB/s: 123456.79\n',
  ]);
});

test.each([0, 1])('after %i runs there is nothing more to print', (count) => {
  const runs = Array.from({ length: count }, () => runWith());
  expect(text.end?.(reportWith({ runs }))).toBe('');
});

/** Three runs that differ, and one that was stopped in its midst. */
const RUNS = [
  ...[
    [700, 900, 18_000],
    [800, 1000, 20_000],
    [900, 1100, 22_000],
  ].map(([write = 0, read = 0, iops = 0]) =>
    runWith({
      measurements: [
        measurementWith({ bytesPerSecond: write * MB }),
        measurementWith({ phase: 'read', title: 'Sequential Read', bytesPerSecond: read * MB }),
        measurementWith({ phase: 'iops', title: 'IOPS', figure: 'operations', operationsPerSecond: iops }),
      ],
    }),
  ),
  runWith({ state: 'incomplete', measurements: [measurementWith({ bytesPerSecond: 1 })] }),
];

test('after several runs every figure is told once more, over the complete ones', () => {
  expect(text.end?.(reportWith({ runs: RUNS }))).toBe(
    [
      'Sequential Write MB/s of 3 runs: mean 800.00, 95 % interval 551.59 to 1048.41, standard deviation 100.00 (12.5 %), min 700.00, max 900.00',
      'Sequential Read MB/s of 3 runs: mean 1000.00, 95 % interval 751.59 to 1248.41, standard deviation 100.00 (10.0 %), min 900.00, max 1100.00',
      'IOPS of 3 runs: mean 20000, 95 % interval 15032 to 24968, standard deviation 2000 (10.0 %), min 18000, max 22000',
      '',
    ].join('\n'),
  );
});

test('figures that were 0 have no variation', () => {
  const runs = [1, 2].map(() => runWith({ measurements: [measurementWith({ bytesPerSecond: 0 })] }));
  expect(text.end?.(reportWith({ runs }))).toContain('standard deviation 0.00, min 0.00, max 0.00\n');
});
