import { formatAmount, formatDeviceShare, type MetricUnit } from '../../report/amount.js';
import type { Measurement, Report } from '../../report/schema/report.js';
import { averageRuns, computeStatistics } from '../../report/statistics/statistics.js';
import {
  knownOperations,
  listStepResults,
  meanDeviceShare,
  type StepResult,
} from '../../report/step-results.js';
import { sanitize } from '../../text/escape.js';
import { fittingTable, INDENT, latencyCell, marginText } from './aligned-table.js';
import type { Screen } from './screen.js';

/** A row of the table: a step, or the reads or the writes of a mixed step. Without a result, it has no cells. */
type StepRow = ReturnType<typeof stepTableRows>[number];

/** The heads of the columns, and their least widths. */
const WIDTHS = { 'MB/s': 8, IOPS: 8, within: 7, p50: 8, p99: 8, device: 7 };
export const STEP_HEADS = Object.keys(WIDTHS);

const PARTS = ['reads', 'writes'] as const;

export function stepTableLines(report: Report, measurements: readonly Measurement[], screen: Screen) {
  const columns = Object.entries(WIDTHS).map(([head, width], at) => {
    return { head, width, cell: ({ cells }: StepRow) => cells[at] ?? '' };
  });
  const nameOf = ({ name, isPart }: StepRow) => (isPart ? INDENT + name : name);
  return fittingTable('', columns, stepTableRows(report, measurements), nameOf, screen);
}

/** Returns a row for each step, in the order of the request, and below a mixed step its reads and its writes. */
export function stepTableRows(report: Report, measurements: readonly Measurement[]) {
  return listStepResults(report, measurements).flatMap((result) => {
    const name = sanitize(result.step.name);
    if (result.measurements.length === 0) return [{ name, isPart: false, cells: [] }];
    const cells = [...rateCells(result, report), formatDeviceShare(meanDeviceShare(result.measurements))];
    return [{ name, isPart: false, cells }, ...partRows(result, report)];
  });
}

/** The device share is known only for reads and writes together. */
function partRows({ step, measurements }: StepResult, report: Report) {
  return PARTS.flatMap((name) => {
    const parts = measurements.flatMap((one) => (one[name] ? [{ ...one, ...one[name] }] : []));
    if (parts.length === 0) return [];
    return [{ name, isPart: true, cells: rateCells({ step, measurements: parts }, report) }];
  });
}

function rateCells(result: StepResult, { target }: Report): readonly string[] {
  const latencies = (['p50', 'p99'] as const).map((name) => latencyCell(result.measurements, name));
  const rates = knownOperations(result, target);
  if (rates === null) return ['cached', 'cached', '', ...latencies];
  const operations = averageRuns(rates);
  return [
    formatNumber(operations * result.step.ioBytes, 'bytesPerSecond'),
    formatNumber(operations, 'operationsPerSecond'),
    marginText(computeStatistics(rates)),
    ...latencies,
  ];
}

/** Leaves out the unit, which the head of the column has. */
function formatNumber(rate: number, unit: MetricUnit): string {
  return formatAmount(rate, unit).replace(/ ?[A-Za-z]*\/s$/, '');
}
