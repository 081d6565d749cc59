import type { Report, Run } from '../../src/report/schema/report.js';
import { measurementWith, reportWith, runWith } from '../support/data/fixtures.js';
import { hostileReport } from '../support/data/hostile.js';
import { seededRandom } from '../support/data/seeded-random.js';

/** A complete report of one run. */
export const COMPLETED = reportWith({ runs: [runWith()], outcome: { state: 'completed' } });

/** A run of a write at each of these rates. */
export function runsAt(...rates: readonly number[]): Run[] {
  return rates.map((bytesPerSecond) => runWith({ measurements: [measurementWith({ bytesPerSecond })] }));
}

/** Reports whose names could steer a reader, the same ones each time. */
export function hostileReports(count: number): readonly Report[] {
  const random = seededRandom(6);
  return Array.from({ length: count }, () => hostileReport(random));
}
