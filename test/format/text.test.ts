import { expect, test } from 'vitest';
import { text } from '../../src/format/text.js';
import { measurementWith, reportWith, runWith } from '../fixtures.js';

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

test('after the last run there is nothing more to print', () => {
  expect(text.end?.(reportWith({ runs: [runWith()] })) ?? '').toBe('');
});
