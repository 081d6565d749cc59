import { type Markup, tag } from '../writing/markup.js';
import { type Area, CHART_WIDTH, type Points, roundPixel } from './chart.js';
import { FAINT_INK, GRID, type LineStyle } from './line-style.js';
import type { Scale } from './scale.js';
import { estimateTextPixels, textMark, truncateToPixels } from './text-mark.js';

const LINE_HEIGHT = 18;
const LEGEND_LINE_LENGTH = 26;
const LEGEND_GAP = 22;
const MAX_NAME_WIDTH = 280;

/** Draws a line through points. */
export function polylineMark(
  points: Points,
  { color, dashes, className }: LineStyle,
  width = 1.6,
  isData?: true,
): Markup {
  return tag('polyline', {
    'data-line': isData && '',
    points: points.map(([x, y]) => `${roundPixel(x)},${roundPixel(y)}`).join(' '),
    fill: 'none',
    stroke: color,
    'stroke-width': width,
    'stroke-dasharray': dashes,
    'stroke-linejoin': 'round',
    class: className,
  });
}

export function lineMark([x1, y1]: Points[number], [x2, y2]: Points[number], className = 'grid'): Markup {
  const stroke = className === 'axis' ? FAINT_INK : GRID;
  return tag('line', {
    x1: roundPixel(x1),
    y1: roundPixel(y1),
    x2: roundPixel(x2),
    y2: roundPixel(y2),
    stroke,
    class: className,
  });
}

/** Draws the axes of a plot: a line and a text for each tick, and a title at the end of each axis. */
export function axisMarks(
  area: Area,
  x: Scale,
  y: Scale,
  [xTitle, yTitle]: readonly [string, string],
): Markup[] {
  const { left, right, top, bottom } = area;
  return [
    ...y.ticks.flatMap(({ value, text }) => [
      lineMark([left, y.at(value)], [right, y.at(value)]),
      textMark(left - 6, y.at(value) + 4, text, 'end', true),
    ]),
    ...x.ticks.flatMap(({ value, text }) => [
      lineMark([x.at(value), bottom], [x.at(value), bottom + 4], 'axis'),
      textMark(x.at(value), bottom + 17, text, 'middle', true),
    ]),
    lineMark([left, bottom], [right, bottom], 'axis'),
    textMark(left - 6, top - 10, yTitle, 'end', true),
    textMark(right, bottom + 32, xTitle, 'end', true),
  ];
}

/** Draws the legend in as many rows as needed, the first at `top`. Returns its elements and its height. */
export function legend(
  entries: readonly (readonly [name: string, style: LineStyle])[],
  left: number,
  top: number,
): { readonly marks: readonly Markup[]; readonly height: number } {
  let x = left;
  let row = 0;
  const marks = entries.flatMap(([fullName, style]) => {
    const name = truncateToPixels(fullName, MAX_NAME_WIDTH);
    const width = LEGEND_LINE_LENGTH + 6 + estimateTextPixels(name);
    if (x > left && x + width > CHART_WIDTH) {
      x = left;
      row += 1;
    }
    const start = x;
    const end = start + LEGEND_LINE_LENGTH;
    const y = top + row * LINE_HEIGHT;
    x += width + LEGEND_GAP;
    const line = [[start, y - 4] as const, [end, y - 4] as const];
    return [polylineMark(line, style, 2), textMark(end + 6, y, name)];
  });
  return { marks, height: (row + 1) * LINE_HEIGHT };
}
