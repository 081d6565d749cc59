import type { Report } from '../report/report.js';
import type { Sheet } from '../report/sheet.js';

/** What was read. */
export interface Results {
  /** One for each complete run. */
  readonly sheets: readonly Sheet[];
  /** Where gobonnie wrote it: all that it knew. */
  readonly report: Report | null;
}
