import { type Markup, tag } from '../writing/markup.js';
import { type Area, type Points, pixel, WIDTH } from './chart.js';
import { FAINT, GRID, type Look } from './colours.js';
import type { Scale } from './scale.js';
import { fitting, textMark, textWidth } from './text.js';

const LINE_HEIGHT = 18;
const KEY_LENGTH = 26;
const KEY_GAP = 22;
const NAME_WIDTH = 280;

/** A line through points. */
export function lineMark(
  points: Points,
  { colour, dashes, className }: Look,
  width = 1.6,
  isData?: true,
): Markup {
  return tag('polyline', {
    'data-line': isData && '',
    points: points.map(([x, y]) => `${pixel(x)},${pixel(y)}`).join(' '),
    ...{ fill: 'none', stroke: colour, 'stroke-width': width, 'stroke-dasharray': dashes },
    ...{ 'stroke-linejoin': 'round', class: className },
  });
}

export function straightMark([x1, y1]: Points[number], [x2, y2]: Points[number], className = 'grid'): Markup {
  const stroke = className === 'axis' ? FAINT : GRID;
  return tag('line', {
    x1: pixel(x1),
    y1: pixel(y1),
    x2: pixel(x2),
    y2: pixel(y2),
    stroke,
    class: className,
  });
}

/** The axes of a plot: a line and a text for each tick, and what they count at their ends. */
export function axes(area: Area, x: Scale, y: Scale, [xTitle, yTitle]: readonly [string, string]): Markup[] {
  const { left, right, top, bottom } = area;
  return [
    ...y.ticks.flatMap(({ value, text }) => [
      straightMark([left, y.at(value)], [right, y.at(value)]),
      textMark(left - 6, y.at(value) + 4, text, 'end', true),
    ]),
    ...x.ticks.flatMap(({ value, text }) => [
      straightMark([x.at(value), bottom], [x.at(value), bottom + 4], 'axis'),
      textMark(x.at(value), bottom + 17, text, 'middle', true),
    ]),
    straightMark([left, bottom], [right, bottom], 'axis'),
    textMark(left - 6, top - 10, yTitle, 'end', true),
    textMark(right, bottom + 32, xTitle, 'end', true),
  ];
}

/** What lines of a chart mean, in as many rows as needed from `top` on, and how high they are. */
export function key(
  entries: readonly (readonly [name: string, look: Look])[],
  left: number,
  top: number,
): { readonly marks: readonly Markup[]; readonly height: number } {
  let [x, row] = [left, 0];
  const marks = entries.flatMap(([whole, look]) => {
    const name = fitting(whole, NAME_WIDTH);
    const width = KEY_LENGTH + 6 + textWidth(name);
    if (x > left && x + width > WIDTH) [x, row] = [left, row + 1];
    const [start, y] = [x, top + row * LINE_HEIGHT];
    x += width + KEY_GAP;
    return [
      lineMark(
        [
          [start, y - 4],
          [start + KEY_LENGTH, y - 4],
        ],
        look,
        2,
      ),
      textMark(start + KEY_LENGTH + 6, y, name),
    ];
  });
  return { marks, height: (row + 1) * LINE_HEIGHT };
}
