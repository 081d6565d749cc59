import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { SCRIPT, SCRIPT_HASH, STYLE, STYLE_HASH } from '../../../src/format/page/document.js';
import { htmlPage } from '../../../src/format/page/page.js';
import { toResults } from '../../../src/report/report-to-results.js';
import { measurementWith, reportWith, runWith } from '../../support/data/fixtures.js';
import { wavyReport } from './wavy.js';

test('results of the same directory are numbered, and without a common metric have no change chart', () => {
  const results = ['write', 'read'].map((step) =>
    toResults(reportWith({ runs: [runWith({ measurements: [measurementWith({ step })] })] })),
  );
  const page = htmlPage(results);
  expect(page).toContain('2 results');
  expect(page).toContain('<h2>/mnt/disk (2)</h2>');
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

test.each([
  ['style', STYLE, STYLE_HASH],
  ['script', SCRIPT, SCRIPT_HASH],
])("the page's policy allows its own %s by its current hash", (_, text, hash) => {
  expect(hash).toBe(`sha256-${createHash('sha256').update(text).digest('base64')}`);
});
