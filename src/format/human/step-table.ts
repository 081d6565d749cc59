import { formatAmount, formatDeviceShare, type MetricUnit } from '../../report/amount.js';
import { findListedSteps, type ListedStep, listPart } from '../../report/listed-steps.js';
import { averageMetric, summarizeMetric } from '../../report/metric-summary.js';
import { rateMetric } from '../../report/metrics.js';
import type { StepValues } from '../../report/results.js';
import type { Report, Run } from '../../report/schema/report.js';
import { sanitize } from '../../text/escape.js';
import { fittingTable, INDENT, latencyCell, marginText } from './aligned-table.js';
import type { Screen } from './screen.js';

/** A row of the table: a step, or the reads or the writes of a mixed step. Without a result, it has no cells. */
type StepRow = ReturnType<typeof stepTableRows>[number];

/** The heads of the columns, and their least widths. */
const WIDTHS = { 'MB/s': 8, IOPS: 8, within: 7, p50: 8, p99: 8, device: 7 };
export const STEP_HEADS = Object.keys(WIDTHS);

const PARTS = ['reads', 'writes'] as const;

type ShownRuns = readonly Pick<Run, 'measurements'>[];

export function stepTableLines(report: Report, screen: Screen, runs?: ShownRuns): readonly string[] {
  const columns = Object.entries(WIDTHS).map(([head, width], at) => {
    return { head, width, cell: ({ cells }: StepRow) => cells[at] ?? '' };
  });
  const nameOf = ({ name, isPart }: StepRow) => (isPart ? INDENT + name : name);
  return fittingTable('', columns, stepTableRows(report, runs), nameOf, screen);
}

/** Returns a row for each step, in the order of the request, and below a mixed step its reads and its writes. */
export function stepTableRows(report: Report, runs?: ShownRuns) {
  return findListedSteps(report, runs).flatMap((result) => {
    const { step, rows } = result;
    const name = sanitize(step.name);
    if (rows.length === 0) return [{ name, isPart: false, cells: [] }];
    const cells = [...rateCells(rows, report), formatDeviceShare(averageMetric(rows, 'share'))];
    return [{ name, isPart: false, cells }, ...partRows(result, report)];
  });
}

/** The device share is known only for reads and writes together. */
function partRows(result: ListedStep, report: Report) {
  return PARTS.flatMap((name) => {
    const rows = listPart(result, name, report);
    return rows.length === 0 ? [] : [{ name, isPart: true, cells: rateCells(rows, report) }];
  });
}

function rateCells(rows: readonly StepValues[], { target }: Report): readonly string[] {
  const latencies = (['p50', 'p99'] as const).map((name) => latencyCell(rows, name));
  const rate = summarizeMetric(rows, rateMetric, target.isMemory);
  if (!rate?.isFromDevice) return ['cached', 'cached', '', ...latencies];
  return [
    formatNumber(averageMetric(rows, 'throughput') ?? 0, 'bytesPerSecond'),
    formatNumber(averageMetric(rows, 'ops') ?? 0, 'operationsPerSecond'),
    marginText(rate.statistics),
    ...latencies,
  ];
}

/** Leaves out the unit, which the head of the column has. */
function formatNumber(rate: number, unit: MetricUnit): string {
  return formatAmount(rate, unit).replace(/ ?[A-Za-z]*\/s$/, '');
}
