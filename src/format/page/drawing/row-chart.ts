import type { Statistics } from '../../../report/statistics/statistics.js';
import { type Attributes, type Markup, tag } from '../../../text/markup.js';
import {
  type Area,
  boxMark,
  type Chart,
  estimateTextPixels,
  lineMark,
  roundPixel,
  textMark,
  truncateToPixels,
  xAxisMarks,
} from './chart.js';
import type { LineStyle } from './line-style.js';
import type { Scale, Span } from './scale.js';

export interface ChartRow {
  readonly name?: string;
  /** Follows the name. Its start is truncated if it does not fit. */
  readonly detail?: string;
  /** To the right of the marks. */
  readonly values?: string;
  /** Draws the row around y = 0. */
  readonly marks: (x: Scale['at']) => readonly Markup[];
  /** The row of the table, after the name. */
  readonly cells: readonly string[];
  readonly isOnlyInTable?: boolean;
}

interface RowChart extends Pick<Chart, 'description'> {
  /** The head of the table, without the column of the names. */
  readonly heads: readonly string[];
  readonly rows: readonly ChartRow[];
  /** The right end of the marks. */
  readonly right: number;
  /** The scale of all rows. Without ticks it has no axis. */
  readonly x: (span: Span) => Scale;
  /** Draws behind the rows, and leaves room for a text above them. */
  readonly background?: (x: Scale['at'], area: Area) => readonly Markup[];
}

const LEFT = 200;
const ROW_HEIGHT = 28;
const TEXT_GAP = 10;
const AXIS_HEIGHT = 24;
const BAR_HEIGHT = 14;

export function rowChart(chart: RowChart): Chart {
  const { description, heads, right, background } = chart;
  const rows = chart.rows.filter(({ isOnlyInTable }) => !isOnlyInTable);
  const top = background ? 26 : 8;
  const area = { left: LEFT, right, top, bottom: top + rows.length * ROW_HEIGHT };
  const x = chart.x([LEFT, right]);
  const marks = rows.map((row, index) => {
    const { name = '', detail = '', values = '' } = row;
    const freePixels = LEFT - TEXT_GAP - 6 - estimateTextPixels(name);
    return tag(
      'g',
      { transform: `translate(0,${top + (index + 0.5) * ROW_HEIGHT})` },
      textMark(LEFT - TEXT_GAP, 4, name + truncateToPixels(detail, freePixels), 'end'),
      textMark(right + TEXT_GAP, 4, values),
      ...row.marks(x.at),
    );
  });
  const behind = background?.(x.at, area) ?? [];
  const hasAxis = x.ticks.length > 0;
  const tableRows = chart.rows.map(({ name = '', detail = '', cells }) => [name + detail, ...cells]);
  return {
    description,
    table: [['', ...heads], ...tableRows],
    height: area.bottom + (hasAxis ? AXIS_HEIGHT : 0),
    marks: [...behind, ...(hasAxis ? xAxisMarks(area, x) : []), ...marks],
  };
}

export function barMark(left: number, right: number, attributes: Attributes): Markup {
  return boxMark({ left, right, top: -BAR_HEIGHT / 2, bottom: BAR_HEIGHT / 2 }, attributes);
}

export function dotMark(x: number, radius: number, attributes: Attributes): Markup {
  return tag('circle', { cx: roundPixel(x), r: radius, ...attributes });
}

export function intervalMarks(interval: Statistics['confidence95'], x: Scale['at'], { stroke }: LineStyle) {
  if (!interval) return [];
  return [lineMark([x(interval.low), 0], [x(interval.high), 0], { ...stroke, 'stroke-width': 2 })];
}
