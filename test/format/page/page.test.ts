import { expect, test } from 'vitest';
import { htmlPage } from '../../../src/format/page/page.js';
import { toResults } from '../../../src/report/report-to-results.js';
import { measurementWith, reportWith, runWith } from '../../support/data/fixtures.js';
import { wavyReport } from './wavy.js';

test('the page of results without a common metric has no change chart', () => {
  const results = ['write', 'read'].map((phase) =>
    toResults(reportWith({ runs: [runWith({ measurements: [measurementWith({ phase })] })] })),
  );
  const page = htmlPage(results);
  expect(page).toContain('2 results');
  expect(page).not.toContain('Change from');
});

test.each([
  [5, 200_000],
  [1000, 2_000_000],
])('a page of %i runs of three phases has fewer than %i bytes', (runs, most) => {
  const levels = Array.from({ length: runs }, (_, run) => 1 + (run % 10) / 50);
  const page = htmlPage([toResults(wavyReport(5, levels))]);
  expect(Buffer.byteLength(page)).toBeLessThan(most);
  expect(page).toContain('<polyline ');
});
