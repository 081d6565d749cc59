import { completeRuns, type PhaseRows, groupByPhase, type Results } from '../../report/results.js';
import { figuresOfPhase, hasSeveralRuns, toResults } from '../../report/results-of-report.js';
import type { Measurement, Report, TimeSeries } from '../../report/schema/report.js';
import { sanitize } from '../../text/escape.js';
import type { Format } from '../format.js';
import { PLAIN } from '../writing/paint.js';
import { readable, type Screen } from '../writing/screen.js';
import { ratesIn, START, sparkline } from '../writing/sparkline.js';
import { widthOf } from '../writing/width.js';
import { latencyCell, rangeCell, rateCell, withinCell } from './cells.js';
import { hostLines } from './hosts.js';
import { stonewallLines } from './stonewall.js';

/** A phase of a single run, or of several. */
interface Row {
  readonly rows: PhaseRows;
  /** What its rate is: the disk's, or as timed if there is no other. */
  readonly rateOf: 'on the disk' | 'in memory' | 'rate';
  readonly series: TimeSeries | null;
}

interface Column {
  readonly head: (row: Row) => string;
  readonly width: number;
  readonly cell: (row: Row, screen: Screen) => string;
}

const GAP = '  ';
const CELLS = 12;
const LEAST_NAME_WIDTH = 6;

const disk: Column = {
  head: ({ rateOf }) => rateOf,
  width: 12,
  cell: ({ rows, rateOf }) => rateCell(rows, isInMemory(rateOf)),
};

const spread: Column = {
  head: () => 'within',
  width: 9,
  cell: ({ rows, rateOf }) => withinCell(rows, isInMemory(rateOf)),
};

const range: Column = {
  head: () => 'lowest and highest',
  width: 24,
  cell: ({ rows, rateOf }) => rangeCell(rows, isInMemory(rateOf)),
};

const overTime: Column = {
  head: () => 'over time',
  width: CELLS,
  cell: ({ rows: [{ primaryRate }], series }, { unicode, paint }) => {
    if (!series) return '';
    const curve = series.seconds.map((seconds, at) => ({ seconds, amount: series[primaryRate][at] ?? 0 }));
    return paint.accent(sparkline(ratesIn([START, ...curve], CELLS), unicode));
  },
};

/** The columns, in their order; those that do not fit are left out, the last in this list first. */
const ONE_RUN = [disk, latency('p50'), latency('p99'), overTime];
const SEVERAL_RUNS = [disk, spread, range, latency('p99')];

/** A table for people: what the disk did. */
export const table = tableOn({ columns: 80, unicode: true, paint: PLAIN });

/** The rows of a single run are printed one by one, those of several together. */
export function tableOn(screen: Screen): Format {
  const together = (results: readonly Results[], rateOf: Row['rateOf']) => {
    const rows = groupByPhase(completeRuns(results)).map((rows) => ({ rows, rateOf, series: null }));
    const names = rows.map(({ rows: [{ phase }] }) => phase);
    return linesOf(rows, SEVERAL_RUNS, names, screen).join('');
  };
  return {
    oneByOne: 'headed',
    phase: (measurement, report) => {
      if (hasSeveralRuns(report)) return '';
      const names = report.options.phases;
      const lines = linesOf([rowOf(measurement, report)], ONE_RUN, names, screen);
      return lines.slice(names[0] === measurement.phase ? 0 : 1).join('');
    },
    end: (report) =>
      (hasSeveralRuns(report) ? together([toResults(report)], placeOf(report)) : '') +
      [...hostLines(report, screen), ...stonewallLines(report, screen)].map((line) => `${line}\n`).join(''),
    render: (results) => together(results, 'rate'),
  };
}

function rowOf(measurement: Measurement, report: Report): Row {
  const { series } = measurement;
  return { rows: [figuresOfPhase(measurement, report)], rateOf: placeOf(report), series };
}

function placeOf({ target }: Report): Row['rateOf'] {
  return target.isMemory ? 'in memory' : 'on the disk';
}

/** The head and the rows. */
function linesOf(
  rows: readonly Row[],
  columns: readonly Column[],
  names: readonly string[],
  screen: Screen,
): readonly string[] {
  const [first] = rows;
  if (!first) return [];
  const nameWidth = Math.max(LEAST_NAME_WIDTH, ...names.map(widthOf));
  const shown = columns.slice(0, fitting(columns, nameWidth, screen.columns));
  const lineOf = (name: string, cells: readonly string[]) =>
    `${[GAP + name.padEnd(nameWidth), ...cells].join(GAP).trimEnd()}\n`;
  const placed = (text: string, { width }: Column) => {
    const cell = readable(text, screen);
    return ' '.repeat(Math.max(0, width - widthOf(cell))) + cell;
  };
  return [
    lineOf(
      '',
      shown.map((column) => screen.paint.faint(placed(column.head(first), column))),
    ),
    ...rows.map((row) =>
      lineOf(
        sanitize(row.rows[0].phase),
        shown.map((column) => placed(column.cell(row, screen), column)),
      ),
    ),
  ];
}

/** How many of the columns fit beside the name. */
function fitting(columns: readonly Column[], nameWidth: number, room: number): number {
  let width = GAP.length + nameWidth;
  const tooWide = columns.findIndex((column) => {
    width += GAP.length + column.width;
    return width >= room;
  });
  return tooWide === -1 ? columns.length : Math.max(1, tooWide);
}

/** Other programs' rates are taken as they are. */
function isInMemory(rateOf: Row['rateOf']): boolean {
  return rateOf !== 'on the disk';
}

function latency(name: 'p50' | 'p99'): Column {
  return { head: () => name, width: 9, cell: ({ rows }) => latencyCell(rows, name) };
}
