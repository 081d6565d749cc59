import { groupBy } from '../../text/groups.js';
import { tag } from '../writing/markup.js';
import { type Area, type Plot, pixel } from './chart.js';
import type { Look } from './colours.js';
import type { Frame } from './frame.js';
import { bandOf, type Course, MOST_LINES, thinned } from './lines.js';
import { axes, lineMark } from './marks.js';
import { linear, type Scale } from './scale.js';

/** Values over time. */
export interface Line {
  /** Lines of one name belong together. */
  readonly name: string;
  readonly look: Look;
  readonly course: Course;
}

interface Axes {
  /** Of the values, to those of the scale. */
  readonly divisor: number;
  readonly lastSeconds: number;
  readonly titles: readonly [x: string, y: string];
  readonly scale: (area: Area) => Scale;
}

const BAND_OPACITY = 0.25;

/** Lines over time; those of more than twenty runs as the range that they cover and their median. */
export function drawn(lines: readonly Line[], { area, height, marks: names }: Frame, plotted: Axes) {
  const { divisor, lastSeconds, titles, scale } = plotted;
  const { left, right } = area;
  const x = linear([0, lastSeconds], [left, right], String, 8);
  const y = scale(area);
  const place = ([seconds, value]: Course[number]) => [x.at(seconds), y.at(value / divisor)] as const;
  const marks = groupBy(lines, ({ name }) => name).flatMap((group) => {
    const [{ look }] = group;
    if (lines.length <= MOST_LINES)
      return group.map(({ course }) =>
        lineMark(thinned(course.map(place), (right - left) / 2), look, undefined, true),
      );
    const band = bandOf(group.map(({ course }) => course));
    const edge = [
      ...band.map(({ seconds, high }) => place([seconds, high])),
      ...band.toReversed().map(({ seconds, low }) => place([seconds, low])),
    ];
    return [
      tag('polygon', {
        points: edge.map(([px, py]) => `${pixel(px)},${pixel(py)}`).join(' '),
        ...{ fill: look.colour, 'fill-opacity': BAND_OPACITY, class: look.fillClassName },
      }),
      lineMark(
        band.map(({ seconds, median }) => place([seconds, median])),
        look,
        2,
        true,
      ),
    ];
  });
  const plot: Plot = {
    ...area,
    lastSeconds: x.ticks.at(-1)?.value ?? lastSeconds,
    highest: y.ticks.at(-1)?.value ?? 0,
    unit: titles[1],
  };
  return {
    x,
    area,
    plot,
    height,
    marks: [...axes(area, x, y, titles), ...marks, ...names],
  };
}
