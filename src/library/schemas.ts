import { abSchema, comparisonsSchema } from '../compare/comparison-schema.js';
import { optionsSchema } from '../options/options-schema.js';
import { eventRecordSchema } from '../report/events/event-record.js';
import { reportSchema } from '../report/schema/report.js';

/**
 * The zod schemas of options, reports and other documents. The package's `schema/` has them as JSON Schemas.
 *
 * @example
 * const { success } = schemas.report.safeParse({ schema: 'gobonnie/1' });
 */
export const schemas = {
  /** What `run` and `plan` take. */
  options: optionsSchema,
  /** What `run` resolves to, and `--out FILE.json` writes. */
  report: reportSchema,
  /** A line of `--format ndjson` and of `--out FILE.ndjson`. */
  event: eventRecordSchema,
  /** What `compare --json` prints. */
  comparisons: comparisonsSchema,
  /** What `ab --json` prints. */
  ab: abSchema,
} as const;
