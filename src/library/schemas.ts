import { abSchema, comparisonsSchema } from '../compare/comparison-schema.js';
import { optionsSchema } from '../options/options-schema.js';
import { eventRecordSchema } from '../report/events/event-record.js';
import { reportSchema } from '../report/schema/report.js';

/**
 * The zod schemas of options, reports and other documents. The package has them as JSON Schemas in `schema/`.
 *
 * @example
 * const { success } = schemas.report.safeParse({ schema: 'gobonnie/1' });
 */
export const schemas = {
  /** The options of `run` and `plan`. */
  options: optionsSchema,
  /** The result of `run`, and the document of `--out FILE.json`. */
  report: reportSchema,
  /** A line of `--format ndjson` and `--out FILE.ndjson`. */
  event: eventRecordSchema,
  /** The output of `compare --json`. */
  comparisons: comparisonsSchema,
  /** The output of `ab --json`. */
  ab: abSchema,
} as const;
