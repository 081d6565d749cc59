import type { Measurement, Report, Run } from '../report/report.js';
import type { Sheet } from '../report/sheet.js';

/**
 * Turns a report into text. Its output is what `phase` gives for every measurement and `run` for every run, then what
 * `end` gives.
 */
export interface Format {
  /** The phases without which it cannot say what it has to. */
  readonly needs?: readonly string[];
  /** The phases that it has a place for. All of them where it is left out. */
  readonly holds?: readonly string[];
  /** Printed as each phase ends. */
  readonly phase?: (measurement: Measurement) => string;
  /** Printed as each run is complete. */
  readonly run?: (report: Report, run: Run) => string;
  /** Printed after the last run. */
  readonly end?: (report: Report) => string;
  /** What was read back, without a report: throws where the form needs more than the sheets hold. */
  readonly sheets?: (sheets: readonly Sheet[]) => string;
}
