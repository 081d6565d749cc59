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

const [LEFT, RIGHT, ROW_HEIGHT, BAR_HEIGHT] = [8, 712, 48, 14];

interface Row {
  readonly title: string;
  /** Begins with the title. */
  readonly name: string;
  readonly phase: string;
  readonly result: ChartedResult;
  readonly timedRate: string;
  readonly ceiling: string | null;
  /** Of the device; null if it is unknown. */
  readonly share: number | null;
  /** How far the bar and the mark of the ceiling reach, from 0 to 1. */
  readonly barFraction: number;
  readonly ceilingFraction: number | null;
}

/** How much of each timed rate the device served, and how far it is from what memory can do. Null without a measurement. */
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
    title: 'What the device served',
    description: (chartedResults.length > 1
      ? phases.flatMap((phase) => describePhase(phase, rows))
      : rows.map(describeRow)
    ).join(' '),
    height: rows.length * ROW_HEIGHT + 8,
    marks: rows.flatMap(rowMarks),
    table: [
      ['', 'as timed', 'from the device', "memory's ceiling"],
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

/** The device's part is filled, memory's is empty; where the share is unknown all of it is dotted. */
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
  const ceilingText = ceiling === null ? '' : `memory: ${ceiling}`;
  const remainingPixels = RIGHT - LEFT - estimateTextPixels(`${title}${values} ${ceilingText}`);
  return [
    textMark(LEFT, top + 12, title + truncateToPixels(name.slice(title.length), remainingPixels) + values),
    tag('rect', {
      ...{ ...bar, width: roundPixel(length), fill: 'none', stroke: color },
      ...{ 'stroke-dasharray': share === null ? '2 3' : undefined, class: className },
    }),
    ...(share === null
      ? []
      : [tag('rect', { ...bar, width: roundPixel(length * share), fill: color, class: fillClassName })]),
    ...(at === null
      ? []
      : [
          tag('line', {
            ...{ x1: at, x2: at, y1: y - 4, y2: y + BAR_HEIGHT + 4, stroke: CAUTION, 'stroke-width': 2 },
            class: 'caution',
          }),
          textMark(RIGHT, top + 12, ceilingText, 'end', true),
        ]),
  ];
}

/** What several sides have in common. */
function describePhase({ phase, title }: ChartedPhase, rows: readonly Row[]): readonly string[] {
  const shares = rows.filter((row) => row.phase === phase).flatMap(({ share }) => share ?? []);
  if (shares.length === 0) return [`${title}: what the device served is unknown.`];
  return [`${title}: the device served ${formatRange(shares, formatShare)}.`];
}

function describeRow({ name, timedRate, share, ceiling }: Row): string {
  const limit = ceiling === null ? '' : `; memory can do ${ceiling}`;
  return `${name}: ${timedRate} as timed, of which the device served ${share === null ? 'an unknown part' : formatShare(share)}${limit}.`;
}
