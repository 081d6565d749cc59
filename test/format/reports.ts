import type { Report } from '../../src/report/schema/report.js';
import { reportWith, runWith } from '../support/data/fixtures.js';
import { hostileReport } from '../support/data/hostile.js';
import { seededRandom } from '../support/data/seeded-random.js';

/** A complete report of one run. */
export const COMPLETED = reportWith({ runs: [runWith()], outcome: { state: 'completed' } });

/** Reports with random special characters in their names, the same on each call. */
export function hostileReports(count: number): readonly Report[] {
  const random = seededRandom(6);
  return Array.from({ length: count }, () => hostileReport(random));
}
