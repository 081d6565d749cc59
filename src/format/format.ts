import type { EventRecord } from '../report/events/event-record.js';
import type { Results } from '../report/results.js';
import type { Measurement, Report, Run } from '../report/schema/report.js';

/**
 * Turns a report into text. Its output is what `phase` gives for every measurement and `run` for every run, then what
 * `end` gives. One with `event` tells what happens instead: its output is what that gives for every event.
 */
export interface Format {
  /** The phases without which it cannot say what it has to. */
  readonly needs?: readonly string[];
  /** The phases that it has a place for. All of them where it is left out. */
  readonly holds?: readonly string[];
  /** Whether a program that parses it parses JSON. */
  readonly isJson?: true;
  /** Printed as each phase ends. */
  readonly phase?: (measurement: Measurement) => string;
  /** Printed as each run is complete. */
  readonly run?: (report: Report, run: Run) => string;
  /** Printed after the last run. */
  readonly end?: (report: Report) => string;
  /** Printed as anything happens. It never takes back what it has said, so that a file of it grows line by line. */
  readonly event?: (event: EventRecord) => string;
  /** Everything that was read back in one text. Throws if the format needs more than was read. */
  readonly render?: (results: readonly Results[]) => string;
  /**
   * Set if it says more of a report than `render` would: what was read back is then printed one file after the other,
   * each below its name, or for programs without.
   */
  readonly oneByOne?: 'headed' | 'plain';
}
