import { groupBy } from '../../text/group-by.js';
import { tag } from '../writing/markup.js';
import { type Area, type Plot, roundPixel } from './chart.js';
import { type Curve, computeBand, downsample, MAX_LINES } from './curve.js';
import type { Frame } from './frame.js';
import type { LineStyle } from './line-style.js';
import { axisMarks, polylineMark } from './marks.js';
import { linearScale, type Scale } from './scale.js';

/** Values over time. */
export interface Line {
  /** Lines of one name belong together. */
  readonly name: string;
  readonly style: LineStyle;
  readonly curve: Curve;
}

interface TimePlotAxes {
  /** Converts the curves' values to the scale's unit. */
  readonly divisor: number;
  readonly lastSeconds: number;
  readonly titles: readonly [x: string, y: string];
  readonly scale: (area: Area) => Scale;
}

const BAND_OPACITY = 0.25;

/** Draws lines over time. More than MAX_LINES lines become a band that covers them and their median. */
export function timePlot(
  lines: readonly Line[],
  { area, height, marks: legendMarks }: Frame,
  axes: TimePlotAxes,
) {
  const { divisor, lastSeconds, titles, scale } = axes;
  const { left, right } = area;
  const x = linearScale([0, lastSeconds], [left, right], String, 8);
  const y = scale(area);
  const toPoint = ([seconds, value]: Curve[number]) => [x.at(seconds), y.at(value / divisor)] as const;
  const marks = groupBy(lines, ({ name }) => name).flatMap((group) => {
    const [{ style }] = group;
    if (lines.length <= MAX_LINES)
      return group.map(({ curve }) =>
        polylineMark(downsample(curve.map(toPoint), (right - left) / 2), style, undefined, true),
      );
    const band = computeBand(group.map(({ curve }) => curve));
    const outline = [
      ...band.map(({ seconds, high }) => toPoint([seconds, high])),
      ...band.toReversed().map(({ seconds, low }) => toPoint([seconds, low])),
    ];
    return [
      tag('polygon', {
        points: outline.map(([px, py]) => `${roundPixel(px)},${roundPixel(py)}`).join(' '),
        fill: style.color,
        'fill-opacity': BAND_OPACITY,
        class: style.fillClassName,
      }),
      polylineMark(
        band.map(({ seconds, median }) => toPoint([seconds, median])),
        style,
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
    marks: [...axisMarks(area, x, y, titles), ...marks, ...legendMarks],
  };
}
