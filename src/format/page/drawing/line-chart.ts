import { groupBy } from '../../../text/group-by.js';
import type { Chart, Points } from './chart.js';
import { downsample } from './curve.js';
import { eventMarks } from './event-marks.js';
import type { LineStyle } from './line-style.js';
import { axisMarks, legend, polylineMark } from './marks.js';
import type { Axis } from './scale.js';
import type { TimelineEvent } from './timeline.js';

/** A line in the units of the axes. */
interface Line {
  /** Lines of one name belong together. */
  readonly name: string;
  readonly style: LineStyle;
  readonly points: Points;
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
}

/** Leaves room for the y axis's texts on the left and half of the x axis's last text on the right. */
const LEFT = 64;
const RIGHT = 704;
const ABOVE = 26;
const BELOW = 40;
/** The eye cannot tell more lines of one name apart. */
const MAX_LINES = 20;

/** Draws lines on two axes, below their legend. */
export function lineChart({
  lines,
  legendEntries,
  plotHeight,
  x: xOn,
  y: yOn,
  xTitle,
  yTitle,
  events = [],
  ...texts
}: LineChart): Chart {
  const { marks: legendMarks, height: legendHeight } = legend(
    legendEntries.length > 1 ? legendEntries : [],
    LEFT,
  );
  const top = legendHeight + ABOVE;
  const area = { left: LEFT, right: RIGHT, top, bottom: top + plotHeight };
  const all = lines.flatMap(({ points }) => points);
  const xValues = all.map(([at]) => at);
  const yValues = all.map(([, value]) => value);
  const x = xOn(xValues, [LEFT, RIGHT]);
  const y = yOn(yValues, [area.bottom, top]);
  const lineMarks = groupBy(lines, ({ name }) => name)
    .flatMap(evenlyChosen)
    .map(({ points, style }) => {
      const drawnPoints = points.map(([at, value]) => [x.at(at), y.at(value)] as const);
      return polylineMark(downsample(drawnPoints, (RIGHT - LEFT) / 2), style);
    });
  return {
    ...texts,
    height: area.bottom + BELOW,
    marks: [
      ...eventMarks(events, x, area),
      ...axisMarks(area, x, y, xTitle, yTitle),
      ...lineMarks,
      ...legendMarks,
    ],
  };
}

/** Chooses at most MAX_LINES lines, from the first to the last. */
function evenlyChosen(lines: readonly Line[]): readonly Line[] {
  const step = Math.ceil(lines.length / MAX_LINES);
  return lines.filter((_, at) => at % step === 0);
}
