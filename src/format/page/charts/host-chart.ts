import { formatAmount } from '../../../report/amount.js';
import { stepsByHost } from '../../../report/host-summary.js';
import { minMax } from '../../../report/measure/min-max.js';
import { primaryRateUnit } from '../../../report/rate.js';
import { sanitize } from '../../../text/escape.js';
import { HOST_COLUMNS } from '../../human/host-lines.js';
import type { Chart } from '../drawing/chart.js';
import type { ChartedResult, ChartedStep } from '../drawing/charted-result.js';
import { barMark, type ChartRow, rowChart } from '../drawing/row-chart.js';
import { proportionalScale } from '../drawing/scale.js';

/** Number of the slowest hosts of each result that the chart shows. The table has every host. */
const MAX_ROWS = 24;

/** Draws the rate of each host in a phase, the slowest host first. Null with fewer than two hosts. */
export function hostsChart(
  { step, primaryRate }: ChartedStep,
  chartedResults: readonly ChartedResult[],
): Chart | null {
  const show = (perSecond: number) => formatAmount(perSecond, primaryRateUnit({ primaryRate }));
  const rates: number[] = [];
  const rows = chartedResults.flatMap(({ name: resultName, style, source: { report } }) => {
    const hosts = report?.job ? stepsByHost(report).find((one) => one.step === step)?.rows : [];
    return (hosts ?? []).map((host, at): ChartRow => {
      const name = sanitize(host.name);
      const rate = show(host.timedPerSecond);
      rates.push(host.timedPerSecond);
      return {
        detail: chartedResults.length > 1 ? `${resultName}: ${name}` : name,
        values: `${rate}${host.isOutlier ? ', an outlier' : ''}`,
        marks: (x) => [barMark(x(0), x(host.timedPerSecond), style.fill)],
        cells: [
          rate,
          host.perSecond === null ? 'unknown' : show(host.perSecond),
          ...HOST_COLUMNS.map(({ cell }) => cell(host)),
        ],
        isOnlyInTable: at >= MAX_ROWS,
      };
    });
  });
  if (rows.length < 2) return null;
  return rowChart({
    description: 'Rate of each host as timed, the slowest first.',
    right: 480,
    x: (span) => proportionalScale(minMax(rates).max, span),
    heads: ['as timed', 'on the disk', ...HOST_COLUMNS.map(({ head }) => head)],
    rows,
  });
}
