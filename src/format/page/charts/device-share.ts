import { formatAmount, formatShare } from '../../../report/amount.js';
import { findMemoryCeiling } from '../../../report/ceiling.js';
import { formatRange } from '../../../report/measure/range.js';
import { primaryRateUnit } from '../../../report/rate.js';
import { computeMean } from '../../../report/statistics/statistics.js';
import { groupBy } from '../../../text/group-by.js';
import type { Markup } from '../../../text/markup.js';
import type { Chart } from '../drawing/chart.js';
import { type ChartedPhase, type ChartedResult, findMeasurements } from '../drawing/charted-result.js';
import { CAUTION, type LineStyle } from '../drawing/line-style.js';
import { lineMark } from '../drawing/marks.js';
import { barMark, rowChart } from '../drawing/row-chart.js';
import { proportionalScale } from '../drawing/scale.js';

interface Row {
  readonly title: string;
  /** The result's name. Empty if there is only one result. */
  readonly resultName: string;
  readonly style: LineStyle;
  readonly rate: number;
  readonly ceiling: number | null;
  /** The device's share. Null if unknown. */
  readonly share: number | null;
  readonly show: (perSecond: number) => string;
}

/** Draws each timed rate, the device's share of it, and the page cache's rate. Null without a measurement. */
export function deviceShareChart(
  phases: readonly ChartedPhase[],
  chartedResults: readonly ChartedResult[],
): Chart | null {
  const rows = phases.flatMap((phase) =>
    chartedResults
      .map((result) => toRow(phase, result, chartedResults.length > 1))
      .filter((row) => row !== null),
  );
  if (rows.length === 0) return null;
  return rowChart({
    description: groupBy(rows, ({ title }) => title)
      .map(describePhase)
      .join(' '),
    namesAbove: true,
    right: 712,
    x: (span) => proportionalScale(1, span),
    rows: rows.map((row) => ({
      name: row.title,
      detail: row.resultName,
      values: `: ${row.show(row.rate)}, ${formatKnownShare(row.share)} from the device`,
      note: row.ceiling === null ? '' : `page cache: ${row.show(row.ceiling)}`,
      marks: (x) => barMarks(row, x),
    })),
    table: [
      ['', 'as timed', 'from the device', 'page cache'],
      ...rows.map(({ title, resultName, show, rate, share, ceiling }) => [
        title + resultName,
        show(rate),
        formatKnownShare(share),
        ceiling === null ? '' : show(ceiling),
      ]),
    ],
  });
}

function toRow(
  { phase, title, primaryRate }: ChartedPhase,
  result: ChartedResult,
  isOneOfSeveral: boolean,
): Row | null {
  const measurements = findMeasurements([result], phase).map(({ measurement }) => measurement);
  if (measurements.length === 0) return null;
  const unit = primaryRateUnit({ primaryRate });
  const shares = measurements.map(({ device }) => device.share).filter((share) => share !== null);
  return {
    title,
    resultName: isOneOfSeveral ? `, ${result.name}` : '',
    style: result.style,
    rate: computeMean(measurements.map((one) => one[unit])),
    ceiling: findMemoryCeiling(phase, result.source.report?.memoryCeiling),
    share: shares.length < measurements.length ? null : computeMean(shares),
    show: (perSecond) => formatAmount(perSecond, unit),
  };
}

function formatKnownShare(share: number | null): string {
  return share === null ? 'unknown' : formatShare(share);
}

/** Draws a bar: the device's part is filled, the cached part is empty. A bar of unknown share is dotted. */
function barMarks({ style, rate, ceiling, share }: Row, x: (fraction: number) => number): readonly Markup[] {
  const fullScale = Math.max(rate, ceiling ?? 0) || 1;
  const end = x(rate / fullScale);
  const dashes = share === null ? '2 3' : undefined;
  const outline = { ...style.stroke, fill: 'none', 'stroke-dasharray': dashes };
  const marks = [barMark(x(0), end, outline)];
  if (share !== null) marks.push(barMark(x(0), x((rate / fullScale) * share), style.fill));
  if (ceiling !== null) {
    const at = x(ceiling / fullScale);
    marks.push(lineMark([at, -11], [at, 11], { ...CAUTION, 'stroke-width': 2 }));
  }
  return marks;
}

/** Describes the row of one result, or the range of the shares of several results. */
function describePhase([{ title, show, rate, share, ceiling }, ...others]: readonly [Row, ...Row[]]): string {
  if (others.length === 0) {
    const limit = ceiling === null ? '' : `; page cache: ${show(ceiling)}`;
    return `${title}: ${show(rate)} as timed; the device served ${share === null ? 'an unknown part' : formatShare(share)}${limit}.`;
  }
  const shares = [share, ...others.map((other) => other.share)].filter((one) => one !== null);
  if (shares.length === 0) return `${title}: device share unknown.`;
  return `${title}: the device served ${formatRange(shares, formatShare)}.`;
}
