import { readFileSync } from 'node:fs';
import { type Report, reportSchema } from '../../../src/report/schema/report.js';

/** Reads the report of an --out file, and validates it with its schema. */
export function readReportFile(file: string): Report {
  return reportSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}
