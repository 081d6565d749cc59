import {
  type FormatName,
  reportFormats as formatCatalogue,
  rejectUnsuitableFormat,
  renderReport,
} from '../format/index.js';
import type { Report } from '../report/schema/report.js';

/** Renders a report as text. Throws a `GobonnieError` if the format cannot show its phases. */
export type ReportFormatter = (report: Report) => string;

/**
 * The formats of `--format` by name.
 *
 * @example
 * const report = await run({ size: 0.05, iopsDuration: 0.2 });
 * console.log(formats.text(report));
 * await writeFile('report.json', formats.report(report));
 */
export const formats = Object.fromEntries(
  Object.entries(formatCatalogue).map(([name, format]) => [
    name,
    (report: Report) => {
      rejectUnsuitableFormat(name as FormatName, report.options);
      return renderReport(format, report);
    },
  ]),
) as Readonly<Record<FormatName, ReportFormatter>>;
