import { groupBy } from '../../../text/group-by.js';
import { type Attributes, escapeMarkup, type Markup, tag } from '../../../text/markup.js';
import { displayWidth, truncateStart } from '../../../text/width.js';
import { AXIS, DASHES, DIM, fillOf, GRID, strokeOf } from './hues.js';
import type { Points, Scale, Span } from './scale.js';
import { depthScale, gibAxis, latencyAxis, ninesScale, rateAxis, secondsAxis } from './scale.js';
import { computeBand, downsample } from './timeline.js';

/** A line in the units of the axes. */
export interface Line {
  /** Lines of the same name are runs: the chart shows their median and their range. */
  readonly name: string;
  readonly points: Points;
  readonly hue: number;
  /** Distinguishes lines of the same hue. */
  readonly dashes?: number;
}

interface Plot {
  /** Text alternative. */
  readonly label: string;
  readonly lines: readonly Line[];
  readonly height: number;
  readonly x: keyof typeof X_AXES;
  readonly y: keyof typeof Y_AXES;
  /** The name of places on the x axis. */
  readonly mark?: { readonly text: string; readonly places: readonly number[] };
}

const X_AXES = { seconds: secondsAxis, gib: gibAxis, percentiles: ninesScale, depth: depthScale };
const Y_AXES = { rate: rateAxis, latency: latencyAxis };

/** The width of a plot in its own units, which stretch to the width of the page. */
export const PLOT_WIDTH = 1000;
/** Plots whose lines have names end here. */
const NAMES_START = 612;
const MAX_NAME_COLUMNS = 18;
const ABOVE = 18;
const BELOW = 20;
const LABEL_HEIGHT = 14;
/** At this share of the width from an end of the plot, a text is aligned to this end. */
const EDGE_SHARE = 0.07;
const MAX_COLUMNS = 240;
/** More marks would hide the lines. */
const MAX_MARKS = 12;
/** The most that a letter of a tick takes on a phone. */
const LETTER_WIDTH = 22;
const estimateColumns = (text: string) => displayWidth(text) + 0.7 * (text.match(/[A-Zmw@%]/g)?.length ?? 0);
const FONT = { 'font-family': 'system-ui, sans-serif', 'font-size': 11 };

/** Draws lines on two axes in any width, with texts of a fixed size. The texts of the y axis are on its grid lines. */
export function plot({ label, lines, height, mark, ...axes }: Plot): Markup {
  const isNamed = lines.some(({ name }) => name !== lines[0]?.name);
  const span: Span = [0, isNamed ? NAMES_START : PLOT_WIDTH];
  const points = lines.flatMap((line) => line.points);
  const xValues = points.map(([at]) => at);
  const yValues = points.map(([, value]) => value);
  const xScale = X_AXES[axes.x](xValues, span);
  // 0 % is where the axis begins, which needs no text.
  const x = withRoom(axes.x === 'percentiles' ? { ...xScale, ticks: xScale.ticks.slice(1) } : xScale);
  const y = Y_AXES[axes.y](yValues, [height, 0]);
  const placed = lines.map((line) => {
    return { ...line, points: line.points.map(([at, value]) => [x.at(at), y.at(value)] as const) };
  });
  const curves = groupBy(placed, ({ name }) => name).map(toCurve);
  const inner = { y: ABOVE, width: '100%', height, viewBox: `0 0 ${PLOT_WIDTH} ${height}` };
  const size = { width: '100%', height: ABOVE + height + BELOW };
  const attributes = { class: 'chart', role: 'img', 'aria-label': label, ...FONT, ...size };
  return tag(
    'svg',
    attributes,
    ...y.ticks.flatMap(({ value, text }) => [
      lineMark('0', '100%', ABOVE + y.at(value), GRID),
      textMark(0, ABOVE + y.at(value) - 4, text, DIM, 'start'),
    ]),
    tag(
      'svg',
      { ...inner, preserveAspectRatio: 'none', overflow: 'visible' },
      ...curves.filter(({ outline }) => outline.length > 0).map(({ outline, hue }) => areaMark(outline, hue)),
      ...curves.map(({ points, hue, dashes }) => polylineMark(points, hue, dashes)),
    ),
    ...(mark ? placeMarks(mark.text, mark.places.map(x.at), height) : []),
    // Between two depths, nothing was measured.
    ...(axes.x === 'depth' ? placed.flatMap(dotMarks) : []),
    ...x.ticks.map(({ value, text }) => textMark(x.at(value), ABOVE + height + 14, text, DIM)),
    ...(isNamed ? nameMarks(curves, height) : []),
  );
}

/** Omits ticks that are too close to the next one. */
function withRoom({ at, ticks }: Scale): Scale {
  const places = ticks.map(({ value }) => at(value));
  const hasRoom = (index: number, letters: number) =>
    (places[index + 1] ?? Number.POSITIVE_INFINITY) - (places[index] ?? 0) > letters * LETTER_WIDTH;
  return { at, ticks: ticks.filter(({ text }, index) => hasRoom(index, text.length)) };
}

/** Returns the line of one run, or the median of several runs with the outline of their range. */
function toCurve(group: readonly [Line, ...Line[]]): Line & { readonly outline: Points } {
  const [line, ...others] = group;
  if (others.length === 0) return { ...line, points: downsample(line.points, MAX_COLUMNS), outline: [] };
  const band = computeBand(group.map(({ points }) => points));
  const highs = band.map(({ x, high }) => [x, high] as const);
  const lows = band.map(({ x, low }) => [x, low] as const);
  const points = band.map(({ x, median }) => [x, median] as const);
  return { ...line, points, outline: [...highs, ...lows.toReversed()] };
}

export function polylineMark(points: Points, hue: number, dashes = 0): Markup {
  const dash = DASHES[dashes % DASHES.length];
  const stroke = { 'stroke-width': 1.8, 'stroke-linejoin': 'round', 'stroke-dasharray': dash };
  return tag('polyline', {
    points: join(points),
    fill: 'none',
    ...stroke,
    'vector-effect': 'non-scaling-stroke',
    ...strokeOf(hue),
  });
}

export function areaMark(points: Points, hue: number): Markup {
  return tag('polygon', { points: join(points), 'fill-opacity': 0.15, ...fillOf(hue) });
}

function join(points: Points): string {
  return points.map(([x, y]) => `${Math.round(x)},${round(y)}`).join(' ');
}

/** Rounds to a tenth of a pixel: the eye cannot see more. The units of the width are smaller than a pixel. */
function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function toPercent(x: number): string {
  return `${round((x / PLOT_WIDTH) * 100)}%`;
}

export function lineMark(x1: string, x2: string, y: number, attributes: Attributes): Markup {
  return tag('line', { x1, x2, y1: round(y), y2: round(y), ...attributes });
}

/** Draws a dashed line at each place, and names the first one. */
function placeMarks(text: string, places: readonly number[], height: number): readonly Markup[] {
  const lines = places.slice(0, MAX_MARKS).map((place) => {
    const ends = { x1: toPercent(place), x2: toPercent(place), y1: ABOVE, y2: ABOVE + height };
    return tag('line', { ...ends, ...AXIS, 'stroke-dasharray': '4 3' });
  });
  return [...lines, ...places.slice(0, 1).map((place) => textMark(place, ABOVE + 11, text, DIM))];
}

function dotMarks({ points, hue }: Line): readonly Markup[] {
  return points.map(([x, y]) =>
    tag('circle', { cx: toPercent(x), cy: round(ABOVE + y), r: 3.5, ...fillOf(hue) }),
  );
}

function textMark(x: number, y: number, text: string, style: Attributes, anchor = edgeOf(x)): Markup {
  const { class: name, ...color } = style;
  const attributes = { x: toPercent(x), y: round(y), 'text-anchor': anchor, ...color, class: `halo ${name}` };
  return tag('text', attributes, escapeMarkup(text));
}

function edgeOf(x: number): 'start' | 'middle' | 'end' {
  if (x < (EDGE_SHARE / 2) * PLOT_WIDTH) return 'start';
  return x > (1 - EDGE_SHARE) * PLOT_WIDTH ? 'end' : 'middle';
}

/** Names each line beside its end. Moves names apart that would overlap. */
function nameMarks(curves: readonly Line[], height: number): readonly Markup[] {
  const ends = curves
    .map(({ name, hue, points }) => ({ name, hue, end: points.at(-1) ?? ([0, 0] as const) }))
    .toSorted((one, other) => one.end[1] - other.end[1]);
  let free = ABOVE;
  return ends.flatMap(({ name, hue, end: [x, y] }, at) => {
    const lowest = ABOVE + height - (ends.length - 1 - at) * LABEL_HEIGHT;
    const place = Math.max(free, Math.min(ABOVE + y, lowest));
    free = place + LABEL_HEIGHT;
    const start = { x1: toPercent(x), y1: round(ABOVE + y) };
    const end = { x2: toPercent(NAMES_START + 8), y2: round(place) };
    const shown = truncateStart(name, MAX_NAME_COLUMNS, estimateColumns);
    return [
      tag('line', { ...start, ...end, 'stroke-opacity': 0.4, ...strokeOf(hue) }),
      textMark(NAMES_START + 12, place + 4, shown, { ...fillOf(hue), 'font-weight': 600 }, 'start'),
    ];
  });
}
