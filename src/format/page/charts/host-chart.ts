import { formatAmount } from '../../../report/amount.js';
import { type HostSummary, phasesByHost } from '../../../report/host-summary.js';
import { minMax } from '../../../report/measure/min-max.js';
import { formatRange } from '../../../report/measure/range.js';
import { primaryRateUnit } from '../../../report/rate.js';
import { sanitize } from '../../../text/escape.js';
import { pluralize } from '../../../text/units.js';
import { HOST_COLUMNS } from '../../human/host-lines.js';
import type { Chart } from '../drawing/chart.js';
import type { ChartedPhase, ChartedResult } from '../drawing/charted-result.js';
import { barMark, rowChart } from '../drawing/row-chart.js';
import { proportionalScale } from '../drawing/scale.js';

/** Number of the slowest hosts of each result that the chart shows. The table has every host. */
const MAX_ROWS = 24;

interface Row extends HostSummary {
  readonly result: ChartedResult;
  readonly fullName: string;
}

/** Draws the rate of each host in a phase, the slowest host first. Null with fewer than two hosts. */
export function hostsChart(
  { phase, primaryRate }: ChartedPhase,
  chartedResults: readonly ChartedResult[],
): Chart | null {
  const rowsOfResults = chartedResults.map((result) => toRows(result, phase, chartedResults.length > 1));
  const rows = rowsOfResults.flat();
  if (rows.length < 2) return null;
  const show = (perSecond: number) => formatAmount(perSecond, primaryRateUnit({ primaryRate }));
  const rates = rows.map(({ timedPerSecond }) => timedPerSecond);
  const outliers = rows.filter(({ isOutlier }) => isOutlier).map(({ fullName }) => fullName);
  const description = `${pluralize(rows.length, 'host')}, the slowest first, as timed: ${formatRange(rates, show)}.`;
  return rowChart({
    description: outliers.length > 0 ? `${description} Outliers: ${outliers.join(', ')}.` : description,
    right: 480,
    x: (span) => proportionalScale(minMax(rates).max, span),
    rows: rowsOfResults
      .flatMap((all) => all.slice(0, MAX_ROWS))
      .map(({ fullName, timedPerSecond, isOutlier, result: { style } }) => ({
        detail: fullName,
        values: `${show(timedPerSecond)}${isOutlier ? ', an outlier' : ''}`,
        marks: (x) => [barMark(x(0), x(timedPerSecond), style.fill)],
      })),
    table: [
      ['', 'as timed', 'on the disk', ...HOST_COLUMNS.map(({ head }) => head)],
      ...rows.map((row) => [
        row.fullName,
        show(row.timedPerSecond),
        row.perSecond === null ? 'unknown' : show(row.perSecond),
        ...HOST_COLUMNS.map(({ cell }) => cell(row)),
      ]),
    ],
  });
}

function toRows(result: ChartedResult, phase: string, isOneOfSeveral: boolean): readonly Row[] {
  const { report } = result.source;
  if (!report?.job) return [];
  const rows = phasesByHost(report).find((one) => one.phase === phase)?.rows ?? [];
  return rows.map((row) => {
    const name = sanitize(row.name);
    return { ...row, result, fullName: isOneOfSeveral ? `${result.name}: ${name}` : name };
  });
}
