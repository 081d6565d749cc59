import { formatAmount, formatShare } from '../../report/amount.js';
import { findMemoryCeiling } from '../../report/ceiling.js';
import { formatRange } from '../../report/measure/range.js';
import { primaryRateUnit } from '../../report/rate.js';
import { computeMean } from '../../report/statistics/statistics.js';
import { type Chart, roundPixel } from '../drawing/chart.js';
import { type ChartedPhase, type ChartedResult, findMeasurements } from '../drawing/charted-result.js';
import { CAUTION } from '../drawing/line-style.js';
import { estimateTextPixels, textMark, truncateToPixels } from '../drawing/text-mark.js';
import { type Markup, tag } from '../writing/markup.js';

const LEFT = 8;
const RIGHT = 712;
const ROW_HEIGHT = 48;
const BAR_HEIGHT = 14;

interface Row {
  readonly title: string;
  /** The title and, with several results, the result's name. */
  readonly name: string;
  readonly phase: string;
  readonly result: ChartedResult;
  readonly timedRate: string;
  readonly ceiling: string | null;
  /** The device's share. Null if unknown. */
  readonly share: number | null;
  /** Length of the bar and position of the ceiling's mark, from 0 to 1. */
  readonly barFraction: number;
  readonly ceilingFraction: number | null;
}

/** Draws each timed rate, the device's share of it, and the page cache's rate. Null without a measurement. */
export function deviceShareChart(
  phases: readonly ChartedPhase[],
  chartedResults: readonly ChartedResult[],
): Chart | null {
  const rows = phases.flatMap((phase) =>
    chartedResults.flatMap((result) => toRows(phase, result, chartedResults.length > 1)),
  );
  if (rows.length === 0) return null;
  return {
    id: 'device',
    heading: null,
    title: 'Device share',
    description: (chartedResults.length > 1
      ? phases.flatMap((phase) => describePhase(phase, rows))
      : rows.map(describeRow)
    ).join(' '),
    height: rows.length * ROW_HEIGHT + 8,
    marks: rows.flatMap(rowMarks),
    table: [
      ['', 'as timed', 'from the device', 'page cache'],
      ...rows.map(({ name, timedRate, share, ceiling }) => [
        name,
        timedRate,
        formatKnownShare(share),
        ceiling ?? '',
      ]),
    ],
  };
}

function toRows(
  { phase, title, primaryRate }: ChartedPhase,
  result: ChartedResult,
  isOneOfSeveral: boolean,
): readonly Row[] {
  const measurements = findMeasurements([result], phase).map(({ measurement }) => measurement);
  if (measurements.length === 0) return [];
  const unit = primaryRateUnit({ primaryRate });
  const rate = computeMean(measurements.map((one) => one[unit]));
  const ceiling = findMemoryCeiling(phase, result.source.report?.memoryCeiling);
  const shares = measurements.flatMap(({ device }) => device.share ?? []);
  const fullScale = Math.max(rate, ceiling ?? 0) || 1;
  return [
    {
      title,
      name: isOneOfSeveral ? `${title}, ${result.name}` : title,
      phase,
      result,
      timedRate: formatAmount(rate, unit),
      ceiling: ceiling === null ? null : formatAmount(ceiling, unit),
      share: shares.length < measurements.length ? null : computeMean(shares),
      barFraction: rate / fullScale,
      ceilingFraction: ceiling === null ? null : ceiling / fullScale,
    },
  ];
}

function formatKnownShare(share: number | null): string {
  return share === null ? 'unknown' : formatShare(share);
}

/** Draws a bar: the device's part is filled, the cached part is empty. A bar of unknown share is dotted. */
function rowMarks(
  { title, name, result, timedRate, share, ceiling, barFraction, ceilingFraction }: Row,
  index: number,
): readonly Markup[] {
  const top = index * ROW_HEIGHT + 8;
  const y = top + 18;
  const length = barFraction * (RIGHT - LEFT);
  const { color, className, fillClassName } = result.style;
  const bar = { x: LEFT, y, height: BAR_HEIGHT };
  const at = ceilingFraction === null ? null : roundPixel(LEFT + ceilingFraction * (RIGHT - LEFT));
  const values = `: ${timedRate}, ${formatKnownShare(share)} from the device`;
  const ceilingText = ceiling === null ? '' : `page cache: ${ceiling}`;
  const remainingPixels = RIGHT - LEFT - estimateTextPixels(`${title}${values} ${ceilingText}`);
  const outline = { ...bar, width: roundPixel(length), fill: 'none', stroke: color };
  const marks = [
    textMark(LEFT, top + 12, title + truncateToPixels(name.slice(title.length), remainingPixels) + values),
    tag('rect', { ...outline, 'stroke-dasharray': share === null ? '2 3' : undefined, class: className }),
  ];
  if (share !== null)
    marks.push(tag('rect', { ...bar, width: roundPixel(length * share), fill: color, class: fillClassName }));
  if (at !== null) {
    const mark = { x1: at, x2: at, y1: y - 4, y2: y + BAR_HEIGHT + 4, stroke: CAUTION, 'stroke-width': 2 };
    marks.push(tag('line', { ...mark, class: 'caution' }));
    marks.push(textMark(RIGHT, top + 12, ceilingText, 'end', true));
  }
  return marks;
}

/** Describes the range of the shares of several results. */
function describePhase({ phase, title }: ChartedPhase, rows: readonly Row[]): readonly string[] {
  const shares = rows.filter((row) => row.phase === phase).flatMap(({ share }) => share ?? []);
  if (shares.length === 0) return [`${title}: device share unknown.`];
  return [`${title}: the device served ${formatRange(shares, formatShare)}.`];
}

function describeRow({ name, timedRate, share, ceiling }: Row): string {
  const limit = ceiling === null ? '' : `; page cache: ${ceiling}`;
  return `${name}: ${timedRate} as timed; the device served ${share === null ? 'an unknown part' : formatShare(share)}${limit}.`;
}
