import { expect, test } from 'vitest';
import { mergeReports } from '../../src/run/merge-reports.js';
import { planWith, reportWith, runWith } from '../support/data/fixtures.js';

test('a merged report has the page cache state of the last report with a run', () => {
  const cache = { requested: 'auto', applied: 'evict', reason: null } as const;
  const measured = reportWith({ runs: [runWith()], cache, outcome: { state: 'completed' } });
  const stopped = reportWith({ outcome: { state: 'aborted', reason: 'SIGINT' } });
  expect(mergeReports(planWith(), [measured, stopped])).toMatchObject({
    cache,
    runs: [{ state: 'completed' }],
    outcome: { state: 'aborted', reason: 'SIGINT' },
  });
});

test('a merged report has the memory ceiling of the first run, because later runs do not measure it', () => {
  const memoryCeiling = { bytesPerSecond: 8e9, operationsPerSecond: null };
  const first = reportWith({ runs: [runWith()], memoryCeiling });
  const second = reportWith({ runs: [runWith()] });
  expect(mergeReports(planWith(), [first, second]).memoryCeiling).toEqual(memoryCeiling);
  expect(mergeReports(planWith(), [second])).not.toHaveProperty('memoryCeiling');
});

test('a warning that every run raises appears once', () => {
  const warning = { code: 'cliff', phase: 'write', message: 'it fell', hint: 'look' } as const;
  const part = reportWith({ runs: [runWith()], warnings: [warning], outcome: { state: 'completed' } });
  expect(mergeReports(planWith(), [part, part]).warnings).toEqual([warning]);
});
