import { describeSpeed, speedFactsOf } from '../../rating/rating.js';
import { PROGRESS_START, progressPoints, resampleRates } from '../../report/measure/progress.js';
import {
  completeRuns,
  groupByStep,
  type Results,
  type StepRows,
  stepValues,
  toResults,
} from '../../report/results.js';
import { allMeasurements, hasSeveralRuns } from '../../report/runs.js';
import type { Report } from '../../report/schema/report.js';
import { sanitize } from '../../text/escape.js';
import { displayWidth } from '../../text/width.js';
import { hangingIndent } from '../../text/wrap.js';
import type { Format } from '../format.js';
import { sparkline } from './dot-plot.js';
import { hostLines } from './host-lines.js';
import type { Screen } from './screen.js';
import { latencyCell, rateTexts, stepTableLines } from './step-table.js';
import { type Column, INDENT, textTable, usedColumns } from './table.js';

/** Distinguishes the disk's rate from that of a target in RAM, and from the only rate of another program. */
type RateHeading = 'on the disk' | 'in memory' | 'rate';

const SPARKLINE_COLUMNS = 12;
const MIN_NAME_WIDTH = 6;

const P50: Column<StepRows> = { title: 'p50', minWidth: 9, value: (rows) => latencyCell(rows, 'p50') };
const P99: Column<StepRows> = { title: 'p99', minWidth: 9, value: (rows) => latencyCell(rows, 'p99') };

/** A table with a row for each phase. Prints the rows of a single run as its phases end, and the rows of several runs after the last run. */
export function createTableFormat(screen: Screen): Format {
  const renderAllRuns = (results: readonly Results[], heading: RateHeading) => {
    const rows = groupByStep(completeRuns(results));
    const names = rows.map(([{ step }]) => step);
    const columns: readonly Column<StepRows>[] = [
      { title: 'within', minWidth: 9, value: (row) => rateTexts(row, heading === 'in memory').margin },
      {
        title: 'lowest and highest',
        minWidth: 24,
        value: (row) => rateTexts(row, heading === 'in memory').range,
      },
      P99,
    ];
    return joinLines(tableLines(rows, heading, usedColumns(columns, rows), names, screen));
  };
  const headingOf = ({ target }: Report) => (target.isMemory ? 'in memory' : 'on the disk');
  const allRunsTable = (report: Report) =>
    hasSeveralRuns(report) ? renderAllRuns([toResults(report)], headingOf(report)) : '';
  return {
    perFile: true,
    step: (measurement, report) => {
      // The steps of a list are in another order, and are printed together.
      if (hasSeveralRuns(report) || report.options.steps) return '';
      const names = report.options.phases;
      const points = [PROGRESS_START, ...progressPoints(measurement)];
      const curve = screen.paint.accent(sparkline(resampleRates(points, SPARKLINE_COLUMNS), screen.unicode));
      const columns = [P50, P99, { title: 'over time', minWidth: SPARKLINE_COLUMNS, value: () => curve }];
      const rows: readonly StepRows[] = [[stepValues(measurement, report)]];
      const lines = tableLines(rows, headingOf(report), columns, names, screen);
      return joinLines(lines.slice(names[0] === measurement.step ? 0 : 1));
    },
    end: (report) =>
      (report.options.steps ? stepTable(report, screen) : allRunsTable(report)) +
      joinLines(hostLines(report, screen)),
    render: (results) => renderAllRuns(results, 'rate'),
  };
}

function stepTable(report: Report, screen: Screen): string {
  if (allMeasurements(report).length === 0) return '';
  const speed = describeSpeed(speedFactsOf(report));
  const sentence = speed === null ? [] : ['', ...hangingIndent(INDENT, speed, screen.columns)];
  return joinLines([...stepTableLines(report, screen), ...sentence]);
}

function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** Returns the head and the rows. Columns have fixed widths, because rows are printed one by one. */
function tableLines(
  rows: readonly StepRows[],
  rateHeading: RateHeading,
  otherColumns: readonly Column<StepRows>[],
  names: readonly string[],
  screen: Screen,
): readonly string[] {
  if (rows.length === 0) return [];
  const minWidth = Math.max(MIN_NAME_WIDTH, ...names.map(displayWidth));
  const columns: readonly Column<StepRows>[] = [
    { title: '', minWidth, value: ([{ step }]) => sanitize(step) },
    { title: rateHeading, minWidth: 12, value: (row) => rateTexts(row, rateHeading === 'in memory').mean },
    ...otherColumns,
  ];
  return textTable(columns, rows, screen);
}
