import { expect, test } from 'vitest';
import { mergeReports } from '../../src/run/merge-reports.js';
import { planWith, reportWith, runWith } from '../support/data/fixtures.js';

test('the page cache’s state comes from a run that measured something', () => {
  const cache = { requested: 'auto', applied: 'evict', reason: null } as const;
  const measured = reportWith({ runs: [runWith()], cache, outcome: { state: 'completed' } });
  const stopped = reportWith({ outcome: { state: 'aborted', reason: 'SIGINT' } });
  expect(mergeReports(planWith(), [measured, stopped])).toMatchObject({
    ...{ cache, runs: [{ state: 'completed' }] },
    outcome: { state: 'aborted', reason: 'SIGINT' },
  });
});

test('the speed of memory is that of the first run, as later ones do not measure it', () => {
  const memoryCeiling = { bytesPerSecond: 8e9, operationsPerSecond: null };
  const [first, second] = [
    reportWith({ runs: [runWith()], memoryCeiling }),
    reportWith({ runs: [runWith()] }),
  ];
  expect(mergeReports(planWith(), [first, second]).memoryCeiling).toEqual(memoryCeiling);
  expect(mergeReports(planWith(), [second])).not.toHaveProperty('memoryCeiling');
});

test('a warning that every run gives appears once', () => {
  const warning = { code: 'cliff', phase: 'write', message: 'it fell', hint: 'look' } as const;
  const part = reportWith({ runs: [runWith()], warnings: [warning], outcome: { state: 'completed' } });
  expect(mergeReports(planWith(), [part, part]).warnings).toEqual([warning]);
});
