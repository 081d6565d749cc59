import { formatShare } from '../../report/amount.js';
import { metricValues, rateMetric } from '../../report/metrics.js';
import { stepValues } from '../../report/report-to-results.js';
import type { StepRows } from '../../report/results.js';
import type { Measurement, Report, ReportedStep } from '../../report/schema/report.js';
import { computeMean } from '../../report/statistics/statistics.js';
import { sanitize } from '../../text/escape.js';
import { MB } from '../../text/units.js';
import { fittingTable } from './aligned-table.js';
import type { Screen } from './screen.js';
import { latencyCell, marginCell } from './table-cells.js';

/** A step and its results so far, in any order. */
interface Row {
  readonly step: ReportedStep;
  readonly rows: StepRows | null;
}

interface Column {
  readonly head: string;
  readonly width: number;
  readonly cell: (rows: StepRows, step: ReportedStep) => string;
}

/** Larger rates are shown without decimals. */
const MANY = 1000;

type StepReport = Pick<Report, 'options' | 'target' | 'memoryCeiling'>;

/**
 * Returns the lines of a table with a row for each step, in the order of the request. Rows without a result are empty; a
 * row that a cache served has no rate.
 */
export function stepTableLines(
  report: StepReport,
  measurements: readonly Measurement[],
  screen: Screen,
): readonly string[] {
  const { options, target } = report;
  const rows = (options.steps ?? []).map((step): Row => {
    const measured = measurements.filter((one) => one.step === step.name);
    const [first, ...others] = measured.map((one) => stepValues(one, report));
    return { step, rows: first ? [first, ...others] : null };
  });
  const columns = stepColumns(target.isMemory).map(({ head, width, cell }) => ({
    head: screen.paint.faint(head.padStart(width)),
    cell: ({ step, rows: found }: Row) => (found ? cell(found, step) : ''),
  }));
  return fittingTable('', columns, rows, ({ step }) => sanitize(step.name), screen);
}

function stepColumns(isTimed: boolean): readonly Column[] {
  return [
    { head: 'MB/s', width: 8, cell: (rows, step) => rateCell(rows, isTimed, step, step.ioBytes / MB) },
    { head: 'IOPS', width: 8, cell: (rows, step) => rateCell(rows, isTimed, step, 1) },
    { head: 'within', width: 7, cell: (rows) => marginCell(rows, isTimed) },
    { head: 'p50', width: 8, cell: (rows) => latencyCell(rows, 'p50') },
    { head: 'p99', width: 8, cell: (rows) => latencyCell(rows, 'p99') },
    { head: 'device', width: 7, cell: deviceCell },
  ];
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
