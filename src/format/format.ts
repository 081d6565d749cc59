import type { Comparison } from '../compare/comparison.js';
import type { EventRecord } from '../report/events/event-record.js';
import type { Results } from '../report/results.js';
import type { Measurement, Report, Run } from '../report/schema/report.js';

/** What a report was compared with. */
export interface Baseline {
  readonly results: readonly Results[];
  readonly comparison: Comparison;
}

/**
 * Turns a report into text: the output of `phase` for every measurement, of `run` for every run, and of `end`. A
 * format with `event` prints every event instead.
 */
export interface Format {
  /** The phases that it requires. */
  readonly requiredPhases?: readonly string[];
  /** The phases that it can show; all of them by default. */
  readonly supportedPhases?: readonly string[];
  /** Whether it shows what only a report of gobonnie holds, so that results of other programs are refused. */
  readonly isForReportsOnly?: true;
  /** Whether the output is JSON. */
  readonly isJson?: true;
  /** Printed as each phase ends. */
  readonly phase?: (measurement: Measurement, report: Report) => string;
  /** Printed as each run is complete. */
  readonly run?: (report: Report, run: Run) => string;
  /** Printed after the last run, with what the report was compared with. */
  readonly end?: (report: Report, baseline?: Baseline) => string;
  /** Printed at each event. Earlier output never changes, so a file of it only grows. */
  readonly event?: (event: EventRecord) => string;
  /**
   * Renders results read from files as one text, with how they compare where that is known. Throws if they lack what the
   * format needs.
   */
  readonly render?: (results: readonly Results[], comparisons?: readonly Comparison[]) => string;
  /**
   * Set if the format shows more of a report than `render` does. Files are then printed one after the other, each below
   * its name or, for programs, without it.
   */
  readonly perFile?: 'headed' | 'plain';
}
