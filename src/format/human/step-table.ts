import { formatShare } from '../../report/amount.js';
import { metricValues, rateMetric } from '../../report/metrics.js';
import { stepValues } from '../../report/report-to-results.js';
import type { StepRows, StepValues } from '../../report/results.js';
import type { Measurement, Report, ReportedStep } from '../../report/schema/report.js';
import { computeMean } from '../../report/statistics/statistics.js';
import { sanitize } from '../../text/escape.js';
import { MB } from '../../text/units.js';
import { fittingTable, latencyCell, marginCell } from './aligned-table.js';
import type { Screen } from './screen.js';

/** A row of the table: a step, or the reads or the writes of a mixed step. */
export interface StepRow {
  readonly name: string;
  readonly isPart: boolean;
  /** The texts of the columns. Empty without a result. */
  readonly cells: readonly string[];
}

interface Column {
  readonly head: string;
  readonly width: number;
  readonly cell: (rows: StepRows, isTimed: boolean, step: ReportedStep) => string;
}

type StepReport = Pick<Report, 'options' | 'target' | 'memoryCeiling'>;

const PARTS = ['reads', 'writes'] as const;
const PART_INDENT = '  ';
/** Larger rates are shown without decimals. */
const MANY = 1000;

const COLUMNS: readonly Column[] = [
  { head: 'MB/s', width: 8, cell: (rows, isTimed, step) => rateCell(rows, isTimed, step, step.ioBytes / MB) },
  { head: 'IOPS', width: 8, cell: (rows, isTimed, step) => rateCell(rows, isTimed, step, 1) },
  { head: 'within', width: 7, cell: marginCell },
  { head: 'p50', width: 8, cell: (rows) => latencyCell(rows, 'p50') },
  { head: 'p99', width: 8, cell: (rows) => latencyCell(rows, 'p99') },
  { head: 'device', width: 7, cell: deviceCell },
];
/** The device share is known only for reads and writes together. */
const PART_COLUMNS = COLUMNS.slice(0, -1);
export const STEP_HEADS = COLUMNS.map(({ head }) => head);

/** Returns the lines of a table of the steps. */
export function stepTableLines(
  report: StepReport,
  measurements: readonly Measurement[],
  screen: Screen,
): readonly string[] {
  const columns = COLUMNS.map(({ head, width }, at) => ({
    head: screen.paint.faint(head.padStart(width)),
    cell: ({ cells }: StepRow) => cells[at] ?? '',
  }));
  const nameOf = ({ name, isPart }: StepRow) => (isPart ? PART_INDENT + name : name);
  return fittingTable('', columns, stepTableRows(report, measurements), nameOf, screen);
}

/**
 * Returns a row for each step, in the order of the request, and below a mixed step its reads and its writes. A row that
 * a cache served has no rate.
 */
export function stepTableRows(report: StepReport, measurements: readonly Measurement[]): readonly StepRow[] {
  const { options, target } = report;
  return (options.steps ?? []).flatMap((step) => {
    const own = measurements.filter((one) => one.step === step.name);
    const toCells = (columns: readonly Column[], [first, ...others]: readonly StepValues[]) =>
      first ? columns.map(({ cell }) => cell([first, ...others], target.isMemory, step)) : [];
    const values = own.map((one) => stepValues(one, report));
    const row = { name: sanitize(step.name), isPart: false, cells: toCells(COLUMNS, values) };
    const parts = PARTS.map((name) => {
      const ofPart = own.flatMap((one) => (one[name] ? stepValues({ ...one, ...one[name] }, report) : []));
      return { name, isPart: true, cells: toCells(PART_COLUMNS, ofPart) };
    });
    return [row, ...parts.filter(({ cells }) => cells.length > 0)];
  });
}

/** Returns the rate of operations in the unit of a column. */
function rateCell(
  rows: StepRows,
  isTimed: boolean,
  { ioBytes }: ReportedStep,
  unitsPerOperation: number,
): string {
  const { values, isFromDevice } = metricValues(rows, rateMetric, isTimed);
  if (!isFromDevice || values.length === 0) return 'cached';
  const operations = rows[0].primaryRate === 'bytes' ? computeMean(values) / ioBytes : computeMean(values);
  const rate = operations * unitsPerOperation;
  return rate < MANY ? rate.toFixed(1) : String(Math.round(rate));
}

function deviceCell(rows: StepRows): string {
  const shares = rows.map(({ deviceShare }) => deviceShare).filter((share) => share !== null);
  return shares.length < rows.length ? 'unknown' : formatShare(computeMean(shares));
}
