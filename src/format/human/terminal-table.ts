import { hasSeveralRuns, stepValues, toResults } from '../../report/report-to-results.js';
import { completeRuns, groupByStep, type Results, type StepRows } from '../../report/results.js';
import type { Report, TimeSeries } from '../../report/schema/report.js';
import { speedFactsOf } from '../../speed/report-facts.js';
import { describeSpeed } from '../../speed/verdict.js';
import { sanitize } from '../../text/escape.js';
import { displayWidth } from '../../text/width.js';
import { hangingIndent } from '../../text/wrap.js';
import type { Format } from '../format.js';
import { fittingTable, latencyCell, marginCell, rangeCell, rateCell } from './aligned-table.js';
import { PROGRESS_START, resampleRates, sparkline } from './dot-plot.js';
import { hostLines } from './host-lines.js';
import type { Screen } from './screen.js';
import { stepTableLines } from './step-table.js';

/** Distinguishes the disk's rate from a timed rate, as of a target in RAM or of another program. */
type RateHeading = 'on the disk' | 'in memory' | 'rate';

/** A phase of one run or of several runs. */
interface Row {
  readonly rows: StepRows;
  /** True to show the timed rate. */
  readonly isTimed: boolean;
  readonly series: TimeSeries | null;
}

interface Column {
  readonly head: string;
  readonly width: number;
  readonly cell: (row: Row, screen: Screen) => string;
}

const SPARKLINE_COLUMNS = 12;
const MIN_NAME_WIDTH = 6;
const INDENT = '  ';

const p50: Column = { head: 'p50', width: 9, cell: ({ rows }) => latencyCell(rows, 'p50') };
const p99: Column = { head: 'p99', width: 9, cell: ({ rows }) => latencyCell(rows, 'p99') };

/** Columns after the rate. */
const ONE_RUN: readonly Column[] = [
  p50,
  p99,
  { head: 'over time', width: SPARKLINE_COLUMNS, cell: sparklineCell },
];
const SEVERAL_RUNS: readonly Column[] = [
  { head: 'within', width: 9, cell: ({ rows, isTimed }) => marginCell(rows, isTimed) },
  { head: 'lowest and highest', width: 24, cell: ({ rows, isTimed }) => rangeCell(rows, isTimed) },
  p99,
];

/** A table with a row for each phase. Prints the rows of a single run as its phases end, and the rows of several runs after the last run. */
export function createTableFormat(screen: Screen): Format {
  const renderAllRuns = (results: readonly Results[], heading: RateHeading) => {
    const isTimed = heading !== 'on the disk';
    const rows = groupByStep(completeRuns(results)).map((rows) => ({ rows, isTimed, series: null }));
    const names = rows.map(({ rows: [{ step }] }) => step);
    return tableLines(rows, heading, SEVERAL_RUNS, names, screen).join('');
  };
  const allRunsTable = (report: Report) =>
    hasSeveralRuns(report) ? renderAllRuns([toResults(report)], chooseRateHeading(report)) : '';
  return {
    perFile: true,
    step: (measurement, report) => {
      // The steps of a list are in another order, and are printed together.
      if (hasSeveralRuns(report) || report.options.steps) return '';
      const names = report.options.phases;
      const rows = [stepValues(measurement, report)] as const;
      const row = { rows, isTimed: report.target.isMemory, series: measurement.series };
      const lines = tableLines([row], chooseRateHeading(report), ONE_RUN, names, screen);
      return lines.slice(names[0] === measurement.step ? 0 : 1).join('');
    },
    end: (report) =>
      (report.options.steps ? stepTable(report, screen) : allRunsTable(report)) +
      joinLines(hostLines(report, screen)),
    render: (results) => renderAllRuns(results, 'rate'),
  };
}

function stepTable(report: Report, screen: Screen): string {
  const measurements = report.runs.flatMap((run) => run.measurements);
  if (measurements.length === 0) return '';
  const speed = describeSpeed(speedFactsOf(report));
  const sentence = speed === null ? [] : ['', ...hangingIndent(INDENT, speed, screen.columns)];
  return joinLines([...stepTableLines(report, measurements, screen), ...sentence]);
}

function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

function chooseRateHeading({ target }: Report): RateHeading {
  return target.isMemory ? 'in memory' : 'on the disk';
}

/** Returns the head and the rows. Columns have fixed widths, because rows are printed one by one. */
function tableLines(
  rows: readonly Row[],
  rateHeading: RateHeading,
  otherColumns: readonly Column[],
  names: readonly string[],
  screen: Screen,
): readonly string[] {
  if (rows.length === 0) return [];
  const rateColumn: Column = {
    head: rateHeading,
    width: 12,
    cell: ({ rows, isTimed }) => rateCell(rows, isTimed),
  };
  const nameWidth = Math.max(MIN_NAME_WIDTH, ...names.map(displayWidth));
  const columns = [rateColumn, ...otherColumns].map(({ head, width, cell }) => ({
    head: screen.paint.faint(head.padStart(width)),
    cell: (row: Row) => cell(row, screen),
  }));
  const nameOf = ({ rows: [{ step }] }: Row) => sanitize(step);
  return fittingTable(' '.repeat(nameWidth), columns, rows, nameOf, screen).map((line) => `${line}\n`);
}

function sparklineCell({ rows: [{ primaryRate }], series }: Row, { unicode, paint }: Screen): string {
  if (!series) return '';
  const curve = series.seconds.map((seconds, at) => ({ seconds, amount: series[primaryRate][at] ?? 0 }));
  return paint.accent(sparkline(resampleRates([PROGRESS_START, ...curve], SPARKLINE_COLUMNS), unicode));
}
