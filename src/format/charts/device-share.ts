import { formatAmount, formatShare } from '../../report/amount.js';
import { findMemoryCeiling } from '../../report/ceiling.js';
import { formatRange } from '../../report/measure/range.js';
import { primaryRateUnit } from '../../report/rate.js';
import { computeMean } from '../../report/statistics/statistics.js';
import { type Chart, pixel } from '../drawing/chart.js';
import { CAUTION } from '../drawing/colours.js';
import { measurementsOf, type PhaseOfSides, type Side } from '../drawing/side.js';
import { fitting, textMark, textWidth } from '../drawing/text.js';
import { type Markup, tag } from '../writing/markup.js';

const [LEFT, RIGHT, ROW_HEIGHT, BAR_HEIGHT] = [8, 712, 48, 14];

interface Row {
  readonly title: string;
  /** Begins with the title. */
  readonly name: string;
  readonly phase: string;
  readonly side: Side;
  readonly timed: string;
  readonly ceiling: string | null;
  /** Of the device; null if it is unknown. */
  readonly share: number | null;
  /** How far the bar and the mark of the ceiling reach, from 0 to 1. */
  readonly reach: number;
  readonly ceilingReach: number | null;
}

/** How much of each timed rate the device served, and how far it is from what memory can do. Null without a measurement. */
export function deviceShareChart(phases: readonly PhaseOfSides[], sides: readonly Side[]): Chart | null {
  const rows = phases.flatMap((phase) => sides.flatMap((side) => rowOf(phase, side, sides.length > 1)));
  if (rows.length === 0) return null;
  return {
    id: 'device',
    heading: null,
    title: 'What the device served',
    sentence: (sides.length > 1
      ? phases.flatMap((phase) => rangeOf(phase, rows))
      : rows.map(sentenceOf)
    ).join(' '),
    height: rows.length * ROW_HEIGHT + 8,
    marks: rows.flatMap(marksOf),
    table: [
      ['', 'as timed', 'from the device', "memory's ceiling"],
      ...rows.map(({ name, timed, share, ceiling }) => [name, timed, shareText(share), ceiling ?? '']),
    ],
  };
}

function rowOf(
  { phase, title, primaryRate }: PhaseOfSides,
  side: Side,
  isOneOfSeveral: boolean,
): readonly Row[] {
  const measurements = measurementsOf([side], phase).map(({ measurement }) => measurement);
  if (measurements.length === 0) return [];
  const unit = primaryRateUnit({ primaryRate });
  const rate = computeMean(measurements.map((one) => one[unit]));
  const ceiling = findMemoryCeiling(phase, side.results.report?.memoryCeiling);
  const shares = measurements.flatMap(({ device }) => device.share ?? []);
  const end = Math.max(rate, ceiling ?? 0) || 1;
  return [
    {
      title,
      name: isOneOfSeveral ? `${title}, ${side.name}` : title,
      phase,
      side,
      timed: formatAmount(rate, unit),
      ceiling: ceiling === null ? null : formatAmount(ceiling, unit),
      share: shares.length < measurements.length ? null : computeMean(shares),
      reach: rate / end,
      ceilingReach: ceiling === null ? null : ceiling / end,
    },
  ];
}

function shareText(share: number | null): string {
  return share === null ? 'unknown' : formatShare(share);
}

/** The device's part is filled, memory's is empty; where the share is unknown all of it is dotted. */
function marksOf(
  { title, name, side, timed, share, ceiling, reach, ceilingReach }: Row,
  index: number,
): readonly Markup[] {
  const top = index * ROW_HEIGHT + 8;
  const y = top + 18;
  const length = reach * (RIGHT - LEFT);
  const { colour, className, fillClassName } = side.look;
  const bar = { x: LEFT, y, height: BAR_HEIGHT };
  const at = ceilingReach === null ? null : pixel(LEFT + ceilingReach * (RIGHT - LEFT));
  const figures = `: ${timed}, ${shareText(share)} from the device`;
  const limit = ceiling === null ? '' : `memory: ${ceiling}`;
  const room = RIGHT - LEFT - textWidth(`${title}${figures} ${limit}`);
  return [
    textMark(LEFT, top + 12, title + fitting(name.slice(title.length), room) + figures),
    tag('rect', {
      ...{ ...bar, width: pixel(length), fill: 'none', stroke: colour },
      ...{ 'stroke-dasharray': share === null ? '2 3' : undefined, class: className },
    }),
    ...(share === null
      ? []
      : [tag('rect', { ...bar, width: pixel(length * share), fill: colour, class: fillClassName })]),
    ...(at === null
      ? []
      : [
          tag('line', {
            ...{ x1: at, x2: at, y1: y - 4, y2: y + BAR_HEIGHT + 4, stroke: CAUTION, 'stroke-width': 2 },
            class: 'caution',
          }),
          textMark(RIGHT, top + 12, limit, 'end', true),
        ]),
  ];
}

/** What several sides have in common. */
function rangeOf({ phase, title }: PhaseOfSides, rows: readonly Row[]): readonly string[] {
  const shares = rows.filter((row) => row.phase === phase).flatMap(({ share }) => share ?? []);
  if (shares.length === 0) return [`${title}: what the device served is unknown.`];
  return [`${title}: the device served ${formatRange(shares, formatShare)}.`];
}

function sentenceOf({ name, timed, share, ceiling }: Row): string {
  const limit = ceiling === null ? '' : `; memory can do ${ceiling}`;
  return `${name}: ${timed} as timed, of which the device served ${share === null ? 'an unknown part' : formatShare(share)}${limit}.`;
}
