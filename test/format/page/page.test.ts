import { expect, test } from 'vitest';
import { htmlPage } from '../../../src/format/page/page.js';
import { toResults } from '../../../src/report/report-to-results.js';
import { measurementWith, reportWith, runWith } from '../../support/data/fixtures.js';

test('results without a figure in common have a page without changes', () => {
  const results = ['write', 'read'].map((phase) =>
    toResults(reportWith({ runs: [runWith({ measurements: [measurementWith({ phase })] })] })),
  );
  const page = htmlPage(results);
  expect(page).toContain('2 results');
  expect(page).not.toContain('Change from');
});
