import { expect, test } from 'vitest';
import { htmlPage } from '../../../src/format/page/page.js';
import { toResults } from '../../../src/report/report-to-results.js';
import { measurementWith, reportWith, runWith } from '../../support/data/fixtures.js';

test('the page of results without a common metric has no change chart', () => {
  const results = ['write', 'read'].map((phase) =>
    toResults(reportWith({ runs: [runWith({ measurements: [measurementWith({ phase })] })] })),
  );
  const page = htmlPage(results);
  expect(page).toContain('2 results');
  expect(page).not.toContain('Change from');
});
