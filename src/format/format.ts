import type { Comparison } from '../compare/comparison-schema.js';
import type { EventRecord } from '../report/events/event-record.js';
import type { Results } from '../report/results.js';
import type { TimedOperation } from '../report/schema/measurement-schema.js';
import type { Measurement, Report, Run } from '../report/schema/report.js';
import type { ComparisonDocument } from './human/commands/comparison-format.js';

export interface Baseline {
  readonly results: readonly Results[];
  readonly comparison: Comparison;
  readonly strict: boolean;
}

/**
 * Renders a report as text: `step` for every measurement, `run` for every complete run, then `end`. A format with `event`
 * prints every event instead.
 */
export interface Format {
  readonly requiredPhases?: readonly string[];
  /** The phases that the format can show; every phase by default. */
  readonly supportedPhases?: readonly string[];
  /** True if it shows only the steps of a list, by their phase. Other formats find a step by its name. */
  readonly needsList?: true;
  /** Printed for the operations that ended since the last call, in a step with pauses. */
  readonly operations?: (operations: readonly TimedOperation[]) => string;
  readonly step?: (measurement: Measurement, report: Report) => string;
  readonly run?: (report: Report, run: Run) => string;
  /** Printed after the last run. By default, a format that prints nothing earlier prints `render`. */
  readonly end?: (report: Report) => string;
  /** Printed at each event. Earlier output never changes, so a file of it only grows. */
  readonly event?: (event: EventRecord) => string;
  /** Renders results read from files, and their comparison if any, as one text. Throws if the results lack values. */
  readonly render?: (results: readonly Results[], document?: ComparisonDocument) => string;
  /** True to also render the results that the report was compared with. */
  readonly showsBaseline?: true;
  /**
   * True if the format shows more of a report than `render` does. Files are then printed one after another, with the
   * name of each file above its results unless the output is JSON.
   */
  readonly perFile?: true;
  readonly isJson?: true;
}
