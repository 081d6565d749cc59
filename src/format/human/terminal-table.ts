import { hasSeveralRuns, phaseValues, toResults } from '../../report/report-to-results.js';
import { completeRuns, groupByPhase, type PhaseRows, type Results } from '../../report/results.js';
import type { Measurement, Report, TimeSeries } from '../../report/schema/report.js';
import { sanitize } from '../../text/escape.js';
import { displayWidth } from '../../text/width.js';
import type { Format } from '../format.js';
import { alignedTable, fitColumns } from './aligned-table.js';
import { hostLines } from './host-lines.js';
import { PLAIN_PAINT } from './paint.js';
import { type Screen, transliterate } from './screen.js';
import { PROGRESS_START, resampleRates, sparkline } from './sparkline.js';
import { latencyCell, marginCell, rangeCell, rateCell } from './table-cells.js';

/** A phase of one run or of several runs. */
interface Row {
  readonly rows: PhaseRows;
  /** Distinguishes the disk's rate from a timed rate. */
  readonly rateHeading: 'on the disk' | 'in memory' | 'rate';
  readonly series: TimeSeries | null;
}

interface Column {
  readonly head: (row: Row) => string;
  readonly width: number;
  readonly cell: (row: Row, screen: Screen) => string;
}

const INDENT = '  ';
const SPARKLINE_COLUMNS = 12;
const MIN_NAME_WIDTH = 6;

const rateColumn: Column = {
  head: ({ rateHeading }) => rateHeading,
  width: 12,
  cell: ({ rows, rateHeading }) => rateCell(rows, isMemoryRate(rateHeading)),
};

const marginColumn: Column = {
  head: () => 'within',
  width: 9,
  cell: ({ rows, rateHeading }) => marginCell(rows, isMemoryRate(rateHeading)),
};

const rangeColumn: Column = {
  head: () => 'lowest and highest',
  width: 24,
  cell: ({ rows, rateHeading }) => rangeCell(rows, isMemoryRate(rateHeading)),
};

const sparklineColumn: Column = {
  head: () => 'over time',
  width: SPARKLINE_COLUMNS,
  cell: ({ rows: [{ primaryRate }], series }, { unicode, paint }) => {
    if (!series) return '';
    const curve = series.seconds.map((seconds, at) => ({ seconds, amount: series[primaryRate][at] ?? 0 }));
    return paint.accent(sparkline(resampleRates([PROGRESS_START, ...curve], SPARKLINE_COLUMNS), unicode));
  },
};

const ONE_RUN = [rateColumn, latencyColumn('p50'), latencyColumn('p99'), sparklineColumn];
const SEVERAL_RUNS = [rateColumn, marginColumn, rangeColumn, latencyColumn('p99')];

/** A table with a row for each phase. */
export const tableFormat = createTableFormat({ columns: 80, unicode: true, paint: PLAIN_PAINT });

/** Prints the rows of a single run as its phases end, and the rows of several runs after the last run. */
export function createTableFormat(screen: Screen): Format {
  const renderAllRuns = (results: readonly Results[], rateHeading: Row['rateHeading']) => {
    const rows = groupByPhase(completeRuns(results)).map((rows) => ({ rows, rateHeading, series: null }));
    const names = rows.map(({ rows: [{ phase }] }) => phase);
    return tableLines(rows, SEVERAL_RUNS, names, screen).join('');
  };
  return {
    perFile: true,
    phase: (measurement, report) => {
      if (hasSeveralRuns(report)) return '';
      const names = report.options.phases;
      const lines = tableLines([toRow(measurement, report)], ONE_RUN, names, screen);
      return lines.slice(names[0] === measurement.phase ? 0 : 1).join('');
    },
    end: (report) =>
      (hasSeveralRuns(report) ? renderAllRuns([toResults(report)], chooseRateHeading(report)) : '') +
      hostLines(report, screen)
        .map((line) => `${line}\n`)
        .join(''),
    render: (results) => renderAllRuns(results, 'rate'),
  };
}

function toRow(measurement: Measurement, report: Report): Row {
  const { series } = measurement;
  return { rows: [phaseValues(measurement, report)], rateHeading: chooseRateHeading(report), series };
}

function chooseRateHeading({ target }: Report): Row['rateHeading'] {
  return target.isMemory ? 'in memory' : 'on the disk';
}

/** Returns the head and the rows. Columns have fixed widths, because rows are printed one by one. */
function tableLines(
  rows: readonly Row[],
  columns: readonly Column[],
  names: readonly string[],
  screen: Screen,
): readonly string[] {
  const [first] = rows;
  if (!first) return [];
  const nameWidth = Math.max(MIN_NAME_WIDTH, ...names.map(displayWidth));
  const lines = fitColumns(columns, screen.columns, (shownColumns) =>
    alignedTable([
      [
        ' '.repeat(nameWidth),
        ...shownColumns.map(({ head, width }) => screen.paint.faint(head(first).padStart(width))),
      ],
      ...rows.map((row) => [
        sanitize(row.rows[0].phase),
        ...shownColumns.map(({ cell }) => transliterate(cell(row, screen), screen)),
      ]),
    ]).map((line) => INDENT + line),
  );
  return lines.map((line) => `${line}\n`);
}

/** True if the timed rate is shown, as for results of other programs. */
function isMemoryRate(rateHeading: Row['rateHeading']): boolean {
  return rateHeading !== 'on the disk';
}

function latencyColumn(name: 'p50' | 'p99'): Column {
  return { head: () => name, width: 9, cell: ({ rows }) => latencyCell(rows, name) };
}
