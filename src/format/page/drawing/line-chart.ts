import { groupBy } from '../../../text/group-by.js';
import { escapeMarkup, type Markup, tag } from '../../../text/markup.js';
import {
  type Area,
  axisMarks,
  boxMark,
  type Chart,
  estimateTextPixels,
  legend,
  lineMark,
  type Points,
  pointsAttribute,
  polylineMark,
  roundPixel,
  textMark,
} from './chart.js';
import { AXIS, CAUTION, CAUTION_AREA, GREY_AREA, type LineStyle } from './line-style.js';
import { dotMark } from './row-chart.js';
import type { Axis, Scale } from './scale.js';
import { computeBand, downsample, type TimelineEvent } from './timeline.js';

/** A line in the units of the axes. */
interface Line {
  /** Lines of one name belong together. */
  readonly name: string;
  readonly style: LineStyle;
  readonly points: Points;
  readonly hasDots?: boolean;
}

interface LineChart extends Pick<Chart, 'description' | 'table'> {
  readonly lines: readonly Line[];
  /** A single entry needs no legend. */
  readonly legendEntries: readonly Pick<Line, 'name' | 'style'>[];
  readonly plotHeight: number;
  readonly x: Axis;
  readonly y: Axis;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly events?: readonly TimelineEvent[];
  /** A place on the x axis, and its name. */
  readonly mark?: { readonly at: number; readonly text: string };
  readonly right?: number;
  /** True to show the values under the pointer on pages. Both axes must be linear and start at 0. */
  readonly showsValues?: boolean;
}

/** Leaves room for the y axis's texts on the left and half of the x axis's last text on the right. */
const LEFT = 64;
const RIGHT = 704;
const ABOVE = 26;
const BELOW = 40;
/** More lines than this are drawn as a band and a median. */
const MAX_LINES = 20;
const BAND_OPACITY = 0.25;
/** More events of a kind would hide the lines. */
const MAX_EVENTS_PER_KIND = 12;
const EVENT_ATTRIBUTES = {
  cliff: { ...CAUTION, 'stroke-dasharray': '4 3' },
  standstill: CAUTION_AREA,
  sync: GREY_AREA,
};

/** Draws lines on two axes, below their legend. If there are many lines, those of one name become a band. */
export function lineChart(chart: LineChart): Chart {
  const {
    description,
    table,
    lines,
    legendEntries,
    xTitle,
    yTitle,
    events = [],
    mark,
    right = RIGHT,
  } = chart;
  const legendPart = legend(legendEntries.length > 1 ? legendEntries : [], LEFT);
  const top = legendPart.height + ABOVE;
  const area = { left: LEFT, right, top, bottom: top + chart.plotHeight };
  const all = lines.flatMap(({ points }) => points);
  const xValues = all.map(([at]) => at);
  const yValues = all.map(([, value]) => value);
  const x = chart.x(xValues, [LEFT, right]);
  const y = chart.y(yValues, [area.bottom, top]);
  const drawnLines = lines.map(({ points, ...line }) => ({
    ...line,
    points: points.map(([at, value]) => [x.at(at), y.at(value)] as const),
  }));
  const ends = [x, y].map(({ ticks }) => ticks.at(-1)?.value ?? 0);
  return {
    description,
    table,
    height: area.bottom + BELOW,
    plot: chart.showsValues ? [LEFT, right, top, area.bottom, ...ends, yTitle].join(' ') : undefined,
    marks: [
      ...eventMarks(events, x, area),
      ...(mark ? placeMarks(x.at(mark.at), mark.text, area) : []),
      ...axisMarks(area, x, y, xTitle, yTitle),
      ...groupBy(drawnLines, ({ name }) => name).flatMap((group) =>
        lines.length > MAX_LINES && group.length > 1
          ? bandMarks(group)
          : group.map(({ points, style }) =>
              polylineMark(downsample(points, (right - LEFT) / 2), style, undefined, true),
            ),
      ),
      ...drawnLines.flatMap(({ points, style, hasDots }) =>
        hasDots ? points.map(([at, y]) => dotMark(at, 3.5, { ...style.fill, cy: roundPixel(y) })) : [],
      ),
      ...legendPart.marks,
    ],
  };
}

/** Draws a dashed line with its name above the plot. */
function placeMarks(at: number, text: string, { right, top, bottom }: Area): readonly Markup[] {
  return [
    lineMark([at, top], [at, bottom], { ...AXIS, 'stroke-dasharray': '4 3' }),
    textMark(Math.min(at, right - estimateTextPixels(text)), top - 10, text, 'start', true),
  ];
}

function bandMarks(lines: readonly [Line, ...Line[]]): readonly Markup[] {
  const [{ style }] = lines;
  const band = computeBand(lines.map(({ points }) => points));
  const median = band.map((part) => [part.x, part.median] as const);
  const outline = [
    ...band.map(({ x, high }) => [x, high] as const),
    ...band.toReversed().map(({ x, low }) => [x, low] as const),
  ];
  return [
    tag('polygon', { points: pointsAttribute(outline), 'fill-opacity': BAND_OPACITY, ...style.fill }),
    polylineMark(median, style, 2, true),
  ];
}

/** Draws events behind the lines, with the description as a tooltip and, if it fits, the kind above the plot. */
function eventMarks(events: readonly TimelineEvent[], x: Scale, { left, top, bottom }: Area) {
  let freeFrom = left;
  const shownEvents = Object.keys(EVENT_ATTRIBUTES).flatMap((kind) =>
    events.filter((one) => one.kind === kind).slice(0, MAX_EVENTS_PER_KIND),
  );
  return shownEvents
    .toSorted((one, other) => one.fromSeconds - other.fromSeconds)
    .flatMap(({ kind, fromSeconds, toSeconds, description, runName }) => {
      const from = x.at(fromSeconds);
      const to = x.at(toSeconds);
      const tooltip = tag('title', {}, escapeMarkup(`${runName} ${description}`));
      const attributes = EVENT_ATTRIBUTES[kind];
      const box = { left: from, right: Math.max(from + 1, to), top, bottom };
      const shape =
        kind === 'cliff'
          ? lineMark([from, top], [from, bottom], attributes, tooltip)
          : boxMark(box, attributes, tooltip);
      const middle = (from + to) / 2;
      const labelStart = middle - estimateTextPixels(kind) / 2;
      if (labelStart < freeFrom) return [shape];
      freeFrom = labelStart + estimateTextPixels(kind) + 8;
      return [shape, textMark(middle, top - 10, kind, 'middle', true)];
    });
}
