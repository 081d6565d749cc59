import type { Report } from '../../src/report/schema/report.js';
import { reportWith, runWith } from '../support/data/fixtures.js';
import { hostileReport } from '../support/data/hostile.js';
import { seededRandom } from '../support/data/seeded-random.js';

/** A complete report of one run. */
export const COMPLETED = reportWith({ runs: [runWith()], outcome: { state: 'completed' } });

/** Reports whose names could steer a reader, the same ones each time. */
export function hostileReports(count: number): readonly Report[] {
  const random = seededRandom(6);
  return Array.from({ length: count }, () => hostileReport(random));
}
