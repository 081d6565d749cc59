import { sum } from '../../../report/statistics/statistics.js';
import { type Attributes, escapeMarkup, type Markup, tag } from '../../../text/markup.js';
import { displayWidth, truncateStart } from '../../../text/width.js';
import type { ChartedResult } from './charted-result.js';
import { AXIS, FAINT_INK, GRID, INK, type LineStyle } from './line-style.js';
import type { Scale } from './scale.js';

/** Position of a plot within its chart, in pixels. */
export interface Area {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export type Points = readonly (readonly [x: number, y: number])[];

export interface Chart {
  /** Text alternative; pages also print it above the chart. */
  readonly description: string;
  /** The chart's values, the head first. */
  readonly table: readonly (readonly string[])[];
  readonly height: number;
  readonly marks: readonly Markup[];
  /** The plot's position and scales, for the script that shows values. */
  readonly plot?: string | undefined;
}

/** The width of every chart. Pages scale charts together with their text. */
export const CHART_WIDTH = 720;

const XMLNS = 'http://www.w3.org/2000/svg';

/** Renders the chart. Its id consists of letters, digits and hyphens. It looks the same where styles are forbidden. */
export function renderSvg(chart: Omit<Chart, 'table'>, title: string, id: string): Markup {
  const { description, height, marks, plot } = chart;
  return tag(
    'svg',
    {
      xmlns: XMLNS,
      viewBox: `0 0 ${CHART_WIDTH} ${height}`,
      width: CHART_WIDTH,
      height,
      role: 'img',
      'aria-labelledby': `${id}-title`,
      'aria-describedby': `${id}-text`,
      'font-family': 'system-ui, sans-serif',
      'font-size': 12,
      class: 'chart',
      'data-plot': plot,
    },
    tag('title', { id: `${id}-title` }, escapeMarkup(title)),
    tag('desc', { id: `${id}-text` }, escapeMarkup(description)),
    ...marks,
  );
}

/** Rounds to a tenth of a pixel: the eye cannot see more. */
export function roundPixel(value: number): number {
  return Math.round(value * 10) / 10;
}

const LEGEND_TOP = 14;
const LINE_HEIGHT = 18;
const LEGEND_LINE_LENGTH = 26;
const LEGEND_GAP = 22;
const MAX_NAME_WIDTH = 280;

/** Maximum widths of letters of 12 px in common system fonts. */
const LETTER_WIDTHS = [
  { letters: /[ijlrtfI.,:;'|!()[\]{}/ -]/, width: 5.2 },
  { letters: /[mwMW@%]/, width: 12 },
  { letters: /[A-Z_&#+=~<>]/, width: 9.4 },
];
const DEFAULT_LETTER_WIDTH = 7.8;
/** Width of a letter that takes two terminal columns. */
const WIDE_LETTER_WIDTH = 14;

/** Draws a line through points. The script on pages shows the values of data. */
export function polylineMark(points: Points, { stroke, dashes }: LineStyle, width = 1.6, isData = false) {
  return tag('polyline', {
    'data-line': isData ? '' : undefined,
    points: pointsAttribute(points),
    fill: 'none',
    'stroke-width': width,
    'stroke-dasharray': dashes,
    'stroke-linejoin': 'round',
    ...stroke,
  });
}

export function pointsAttribute(points: Points): string {
  return points.map(([x, y]) => `${roundPixel(x)},${roundPixel(y)}`).join(' ');
}

export function lineMark(
  [x1, y1]: Points[number],
  [x2, y2]: Points[number],
  attributes: Attributes,
  ...children: readonly Markup[]
): Markup {
  const position = { x1: roundPixel(x1), y1: roundPixel(y1), x2: roundPixel(x2), y2: roundPixel(y2) };
  return tag('line', { ...position, ...attributes }, ...children);
}

export function boxMark(
  { left, right, top, bottom }: Area,
  attributes: Attributes,
  ...children: readonly Markup[]
): Markup {
  const position = { x: roundPixel(left), y: top, width: roundPixel(right - left), height: bottom - top };
  return tag('rect', { ...position, ...attributes }, ...children);
}

type Anchor = 'start' | 'middle' | 'end';

/** Draws a line of text. Draws nothing for an empty text. */
export function textMark(
  x: number,
  y: number,
  text: string,
  anchor: Anchor = 'start',
  isFaint = false,
): Markup {
  if (text === '') return escapeMarkup('');
  const color = isFaint ? FAINT_INK : INK;
  const textAnchor = anchor === 'start' ? undefined : anchor;
  const attributes = { x: roundPixel(x), y: roundPixel(y), 'text-anchor': textAnchor, ...color };
  return tag('text', attributes, escapeMarkup(text));
}

/** Returns an upper bound of the text's width in pixels. */
export function estimateTextPixels(text: string): number {
  const widths = [...text].map((letter) => {
    const columns = displayWidth(letter);
    if (columns !== 1) return columns === 0 ? 0 : WIDE_LETTER_WIDTH;
    return LETTER_WIDTHS.find(({ letters }) => letters.test(letter))?.width ?? DEFAULT_LETTER_WIDTH;
  });
  return sum(widths);
}

export function truncateToPixels(text: string, pixels: number): string {
  return truncateStart(text, pixels, estimateTextPixels);
}

/** Draws the axes of a plot: a line and a text for each tick, and a title at the end of each axis. */
export function axisMarks(area: Area, x: Scale, y: Scale, xTitle: string, yTitle: string): readonly Markup[] {
  const { left, right, top, bottom } = area;
  return [
    ...y.ticks.flatMap(({ value, text }) => [
      lineMark([left, y.at(value)], [right, y.at(value)], GRID),
      textMark(left - 6, y.at(value) + 4, text, 'end', true),
    ]),
    ...xAxisMarks(area, x),
    textMark(left - 6, top - 10, yTitle, 'end', true),
    textMark(right, bottom + 32, xTitle, 'end', true),
  ];
}

export function xAxisMarks({ left, right, bottom }: Area, x: Scale): readonly Markup[] {
  return [
    ...x.ticks.flatMap(({ value, text }) => [
      lineMark([x.at(value), bottom], [x.at(value), bottom + 4], AXIS),
      textMark(x.at(value), bottom + 17, text, 'middle', true),
    ]),
    lineMark([left, bottom], [right, bottom], AXIS),
  ];
}

/** Draws the legend in as many rows as needed. Returns its elements and its height. */
export function legend(entries: readonly Pick<ChartedResult, 'name' | 'style'>[], left: number) {
  let x = left;
  let row = 0;
  const marks = entries.flatMap(({ name: fullName, style }) => {
    const name = truncateToPixels(fullName, MAX_NAME_WIDTH);
    const width = LEGEND_LINE_LENGTH + 6 + estimateTextPixels(name);
    if (x > left && x + width > CHART_WIDTH) {
      x = left;
      row += 1;
    }
    const start = x;
    const end = start + LEGEND_LINE_LENGTH;
    const y = LEGEND_TOP + row * LINE_HEIGHT;
    x += width + LEGEND_GAP;
    const line: Points = [
      [start, y - 4],
      [end, y - 4],
    ];
    return [polylineMark(line, style, 2), textMark(end + 6, y, name)];
  });
  return { marks, height: entries.length > 0 ? (row + 1) * LINE_HEIGHT : 0 };
}
