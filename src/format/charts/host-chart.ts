import { formatAmount, formatShare } from '../../report/amount.js';
import { type HostSummary, phasesByHost } from '../../report/host-summary.js';
import { minMax } from '../../report/measure/min-max.js';
import { formatRange } from '../../report/measure/range.js';
import { primaryRateUnit } from '../../report/rate.js';
import { sanitize } from '../../text/escape.js';
import { formatNs, formatSeconds, pluralize } from '../../text/units.js';
import { type Chart, roundPixel } from '../drawing/chart.js';
import type { ChartedPhase, ChartedResult } from '../drawing/charted-result.js';
import { textMark, truncateToPixels } from '../drawing/text-mark.js';
import { tag } from '../writing/markup.js';

const LEFT = 190;
const RIGHT = 480;
const ROW_HEIGHT = 24;
const BAR_HEIGHT = 14;
/** Number of the slowest hosts of each result that the chart shows. The table has every host. */
const MAX_ROWS = 24;

interface Row extends HostSummary {
  readonly result: ChartedResult;
  readonly fullName: string;
}

/** Draws the rate of each host in a phase, the slowest host first. Null with fewer than two hosts. */
export function hostsChart(
  { phase, title, primaryRate }: ChartedPhase,
  chartedResults: readonly ChartedResult[],
): Chart | null {
  const rows = chartedResults.flatMap((result) => toRows(result, phase, chartedResults.length > 1));
  if (rows.length < 2) return null;
  const show = (perSecond: number) => formatAmount(perSecond, primaryRateUnit({ primaryRate }));
  const shownRows = chartedResults.flatMap((result) =>
    rows.filter((row) => row.result === result).slice(0, MAX_ROWS),
  );
  const rates = rows.map(({ timedPerSecond }) => timedPerSecond);
  const { max: highest } = minMax(rates);
  const outliers = rows.filter(({ isOutlier }) => isOutlier).map(({ fullName }) => fullName);
  const description = `${pluralize(rows.length, 'host')}, the slowest first, as timed: ${formatRange(rates, show)}.`;
  return {
    id: `hosts-${phase}`,
    heading: title,
    title: `${title}: by host`,
    description: outliers.length > 0 ? `${description} Outliers: ${outliers.join(', ')}.` : description,
    height: shownRows.length * ROW_HEIGHT + 8,
    marks: shownRows.flatMap((row, index) => {
      const y = index * ROW_HEIGHT + 8;
      const { color, fillClassName } = row.result.style;
      const width = roundPixel((row.timedPerSecond / (highest || 1)) * (RIGHT - LEFT));
      const rateText = `${show(row.timedPerSecond)}${row.isOutlier ? ', an outlier' : ''}`;
      return [
        textMark(LEFT - 10, y + 12, truncateToPixels(row.fullName, LEFT - 16), 'end'),
        tag('rect', { x: LEFT, y, width, height: BAR_HEIGHT, fill: color, class: fillClassName }),
        textMark(RIGHT + 10, y + 12, rateText),
      ];
    }),
    table: [
      ['', 'ranks', 'as timed', 'on the disk', 'p99', 'longest', 'device', 'CPU', 'began', 'done'],
      ...rows.map((row) => [
        row.fullName,
        String(row.ranks),
        show(row.timedPerSecond),
        row.perSecond === null ? 'unknown' : show(row.perSecond),
        row.latencyNs ? formatNs(row.latencyNs.p99) : '',
        row.latencyNs ? formatNs(row.latencyNs.max) : '',
        row.deviceShare === null ? 'unknown' : formatShare(row.deviceShare),
        `${Math.round(row.cpuPercent)} %`,
        formatSeconds(row.startOffsetSeconds),
        formatSeconds(row.endSeconds),
      ]),
    ],
  };
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
