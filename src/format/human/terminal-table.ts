import { PROGRESS_START, progressPoints, resampleRates } from '../../report/measure/progress.js';
import { groupByStep, type Results, type StepRows, stepValues, toResults } from '../../report/results.js';
import { allMeasurements, hasSeveralRuns, runsToShow } from '../../report/runs.js';
import type { Report } from '../../report/schema/report.js';
import { sanitize } from '../../text/escape.js';
import { displayWidth } from '../../text/width.js';
import { hangingIndent, toText } from '../../text/wrap.js';
import type { Format } from '../format.js';
import { reportAnswer } from './answer.js';
import { devText, isDevReport } from './commands/dev-text.js';
import { fillText } from './commands/fill-text.js';
import { firstReadText } from './commands/first-read-text.js';
import { listTable } from './commands/load-text.js';
import { pingText } from './commands/ping-text.js';
import { sweepReportText } from './commands/sweep-text.js';
import { sparkline } from './dot-plot.js';
import { hostLines } from './host-lines.js';
import type { Screen } from './screen.js';
import { latencyCell, rateTexts, rateTitle, type StepRow } from './step-table.js';
import { type Column, INDENT, textTable, usedColumns } from './table.js';

const SPARKLINE_COLUMNS = 12;
const MIN_NAME_WIDTH = 6;

const P50: Column<StepRow> = { title: 'p50', minWidth: 9, value: ({ rows }) => latencyCell(rows, 'p50') };
const P99: Column<StepRow> = { title: 'p99', minWidth: 9, value: ({ rows }) => latencyCell(rows, 'p99') };
/** The columns of several runs. */
const SPREAD: readonly Column<StepRow>[] = [
  { title: 'varies', minWidth: 9, value: ({ rows }) => rateTexts(rows).margin },
  { title: 'lowest and highest', minWidth: 24, value: ({ rows }) => rateTexts(rows).range },
  P99,
];

/** The texts of the commands that do not end with a table of steps. */
const COMMAND_TEXTS = new Map<string | undefined, (report: Report, screen: Screen) => string>([
  ['fill', fillText],
  ['first-read', firstReadText],
  ['ping', pingText],
  ['sweep', sweepReportText],
]);

/** A table with a row for each phase. Prints the rows of a single run as its phases end, and the rows of several runs after the last run. */
export function createTableFormat(screen: Screen): Format {
  const allRunsTable = (results: readonly Results[], rateTitle: string) => {
    const shown = results.flatMap(({ runs }) => runsToShow(runs));
    const rows = groupByStep(shown).map(toRow);
    const names = rows.map(({ name }) => name);
    return toText(tableLines(rows, names, rateTitle, usedColumns(SPREAD, rows), screen));
  };
  const reportTable = (report: Report) => {
    const commandText = COMMAND_TEXTS.get(report.command?.name);
    if (commandText) return commandText(report, screen);
    if (report.options.steps) return stepTable(report, screen);
    if (isDevReport(report)) return devText(report, screen);
    return hasSeveralRuns(report) ? allRunsTable([toResults(report)], rateTitle(report.target)) : '';
  };
  return {
    perFile: true,
    step: (measurement, report) => {
      const { options, target } = report;
      // The steps of a list are in another order, and are printed together, like the workloads of developers.
      if (hasSeveralRuns(report) || options.steps || isDevReport(report)) return '';
      const points = [PROGRESS_START, ...progressPoints(measurement)];
      const curve = screen.paint.accent(sparkline(resampleRates(points, SPARKLINE_COLUMNS)));
      const columns = [P50, P99, { title: 'over time', minWidth: SPARKLINE_COLUMNS, value: () => curve }];
      const row = toRow([stepValues(measurement, report)]);
      const lines = tableLines([row], options.phases, rateTitle(target), columns, screen);
      return toText(lines.slice(options.phases[0] === measurement.step ? 0 : 1));
    },
    end: (report) => reportTable(report) + toText(hostLines(report, screen)),
    // Another program has only one rate.
    render: (results) => allRunsTable(results, 'rate'),
  };
}

function stepTable(report: Report, screen: Screen): string {
  if (allMeasurements(report).length === 0) return '';
  const sentences = [...describeRepetition(report), ...reportAnswer(report)];
  const lines = sentences.flatMap((one) => ['', ...hangingIndent(INDENT, one, screen.columns)]);
  return toText([...listTable(report, screen), ...lines]);
}

/** Names the steps whose access differs from the header. Empty if there are none. */
function describeRepetition(report: Report): readonly string[] {
  const repeated = allMeasurements(report).filter(({ cached }) => cached !== undefined);
  if (repeated.length === 0) return [];
  const names = [...new Set(repeated.map(({ step }) => sanitize(step)))].join(', ');
  return [`Measured again with direct I/O, because the page cache served a part: ${names}.`];
}

function toRow(rows: StepRows): StepRow {
  return { name: sanitize(rows[0].step), part: null, rows };
}

/** Returns the head and the rows. Columns have fixed widths, because rows are printed one by one. */
function tableLines(
  rows: readonly StepRow[],
  names: readonly string[],
  rateTitle: string,
  otherColumns: readonly Column<StepRow>[],
  screen: Screen,
): readonly string[] {
  if (rows.length === 0) return [];
  const minWidth = Math.max(MIN_NAME_WIDTH, ...names.map(displayWidth));
  const name: Column<StepRow> = { title: '', minWidth, value: (row) => row.name };
  const rate: Column<StepRow> = { title: rateTitle, minWidth: 12, value: ({ rows }) => rateTexts(rows).mean };
  return textTable([name, rate, ...otherColumns], rows, screen);
}
