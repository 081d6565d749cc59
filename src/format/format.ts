import type { Measurement, Report } from '../report/report.js';

/** Turns a report into text. Its output is what `phase` gives for every measurement, then what `end` gives. */
export interface Format {
  /** Printed as each phase ends. */
  readonly phase?: (measurement: Measurement) => string;
  /** Printed after the last run. */
  readonly end?: (report: Report) => string;
}
