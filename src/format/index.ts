import { GobonnieError, shown } from '../errors.js';
import type { Report } from '../report/report.js';
import type { Sheet } from '../report/sheet.js';
import { sheetOf, sheetsOf } from '../report/sheets.js';
import { BONNIE_PHASES, bonnieBrayTable, bonnieTable } from './bonnie.js';
import { bonnieHtml } from './bonnie-html.js';
import { bonniePlusPlusText } from './bonnie-plus-plus.js';
import { FILE_TESTS, IO_TESTS } from './bonnie-plus-plus-cells.js';
import { bonniePlusPlusCsv, csvHeader } from './bonnie-plus-plus-csv.js';
import type { Format } from './format.js';
import { json } from './json.js';
import { report } from './report.js';
import { bonniego, text } from './text.js';

const BONNIE_PLUS_PLUS_PHASES = [...IO_TESTS, ...FILE_TESTS];

/** One that prints Bonnie's table. */
function ofSheets(render: (sheets: readonly Sheet[]) => string): Format {
  return { holds: BONNIE_PHASES, end: (whole) => render(sheetsOf(whole)), sheets: render };
}

/** One that prints a table of its own for each run, as it is complete. */
function ofRuns(render: (sheets: readonly Sheet[]) => string): Format {
  return {
    holds: BONNIE_PLUS_PLUS_PHASES,
    run: (whole, run) => render([sheetOf(whole, run)]),
    sheets: render,
  };
}

/** A line for each run as it is complete, under a header where there will be several. */
const csv: Format = {
  holds: BONNIE_PLUS_PLUS_PHASES,
  run: (whole, run) =>
    (hasSeveralRuns(whole) && run === whole.runs[0] ? `${csvHeader()}\n` : '') +
    bonniePlusPlusCsv([sheetOf(whole, run)]),
  sheets: bonniePlusPlusCsv,
};

/** Known before the first of them is over. */
function hasSeveralRuns({ options }: Report): boolean {
  return options.runs > 1 || options.minimumSeconds > 0 || options.untilStablePercent !== null;
}

/** Every format, one row each. */
export const formats = {
  text,
  json,
  report,
  bonniego,
  bonnie: ofSheets(bonnieTable),
  'bonnie-bray': ofSheets(bonnieBrayTable),
  'bonnie-html': ofSheets(bonnieHtml),
  'bonnie++': ofRuns(bonniePlusPlusText),
  'bonnie++-csv': csv,
} as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof formats;

export function formatNamed(given: string): FormatName {
  if (Object.hasOwn(formats, given)) return given as FormatName;
  throw new GobonnieError(
    'option-invalid',
    `--format ${shown(given)} is unknown`,
    `pass one of ${Object.keys(formats).join(', ')}`,
  );
}

/** The format of a file by its name's extension. */
export const formatsByExtension: Readonly<Record<string, Format>> = { '.json': report };

/** A report that is complete, as it was printed when it was measured. */
export function renderReport(format: Format, report: Report): string {
  const ofRuns = report.runs.map(
    (run) =>
      run.measurements.map((measurement) => format.phase?.(measurement) ?? '').join('') +
      (run.state === 'completed' ? (format.run?.(report, run) ?? '') : ''),
  );
  return ofRuns.join('') + (format.end?.(report) ?? '');
}
