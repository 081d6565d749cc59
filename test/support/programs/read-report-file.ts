import { readFileSync } from 'node:fs';
import { type Report, reportSchema } from '../../../src/report/schema/report.js';

/** The report in a file of --out, judged by its schema. */
export function readReportFile(file: string): Report {
  return reportSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}
