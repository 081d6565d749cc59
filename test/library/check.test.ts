import { check, GobonnieError } from 'gobonnie';
import { expect, test } from 'vitest';
import { measurementWith, reportWith, runWith } from '../support/data/fixtures.js';

/** The report's write has 1,073.74 MB/s, its iops 20,000 operations per second. */
const [, ...others] = runWith().measurements;
const write = measurementWith({ bytesPerSecond: 1_073_741_824 });
const runs = [runWith({ measurements: [write, ...others] })];
const report = reportWith({ runs });

test('check returns a verdict for each condition, in their order', () => {
  expect(check(report, ['write>=1GB/s', 'iops>20k', 'read.p99<20ms'])).toEqual([
    { condition: 'write>=1GB/s', unit: 'bytesPerSecond', bound: 1e9, actual: 1_073_741_824, passed: true },
    { condition: 'iops>20k', unit: 'operationsPerSecond', bound: 20_000, actual: 20_000, passed: false },
    { condition: 'read.p99<20ms', unit: 'nanoseconds', bound: 2e7, actual: 59_904, passed: true },
  ]);
});

test('a single condition needs no list', () => {
  expect(check(report, 'write>=1GB/s')).toEqual(check(report, ['write>=1GB/s']));
});

test.each([
  ['write', 'is not a condition'],
  ['putc>=1MB/s', 'names putc, which is not measured'],
])('the condition %s is rejected', (condition, message) => {
  expect(() => check(report, condition)).toThrow(GobonnieError);
  expect(() => check(report, condition)).toThrow(message);
});

test('a report with a phase that this version does not have can be checked by its other phases', () => {
  const newer = reportWith({ runs, options: { ...report.options, phases: ['write', 'warp'] } });
  expect(check(newer, 'write>=1GB/s')).toMatchObject([{ passed: true }]);
  expect(() => check(newer, 'warp>=1')).toThrow('names warp, which is not measured');
});
