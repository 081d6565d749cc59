import type { Report } from '../report/schema/report.js';
import type { Sheet } from '../report/sheet.js';
import { Misreading } from './misreading.js';

/** What was read. */
export interface Results {
  /** One for each complete run. */
  readonly sheets: readonly Sheet[];
  /** Where gobonnie wrote it: all that it knew. */
  readonly report: Report | null;
}

/** Of one file. Each of them takes kilobytes, be its text ever so short. */
const MOST_RESULTS = 50_000;

export function refuseMany(count: number): void {
  if (count > MOST_RESULTS)
    throw new Misreading(`it holds more than ${MOST_RESULTS} results`, 'give it in several files');
}
