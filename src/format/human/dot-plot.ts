import { displayWidth } from '../../text/width.js';
import type { Axis, Points, Scale } from '../page/drawing/scale.js';
import { transliterate } from './screen.js';

export interface DotPlot {
  /** Lines in the units of the scales. */
  readonly lines: readonly Points[];
  readonly x: Axis;
  readonly y: Axis;
  readonly columns: number;
  readonly rows: number;
  readonly unicode: boolean;
}

/** A Braille character has two by four dots, a plain character only one. */
const BRAILLE = 0x2800;
const DOTS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;
/** Minimum width of a tick and its text. */
const TICK_COLUMNS = 9;

/** Draws a plot with axes as lines of text of the same width. */
export function dotPlot(plot: DotPlot): readonly string[] {
  const { lines, columns, rows, unicode } = plot;
  const across = unicode ? 2 : 1;
  const down = unicode ? 4 : 1;
  const all = lines.flat();
  const xValues = all.map(([at]) => at);
  const yValues = all.map(([, value]) => value);
  const y = plot.y(yValues, [rows * down - 1, 0]);
  const labels = labelRows(y, rows, down).map((label) => transliterate(label, plot));
  const margin = Math.max(...labels.map(displayWidth));
  const width = columns - margin - 1;
  const maxTicks = Math.max(2, Math.floor(width / TICK_COLUMNS));
  const x = plot.x(xValues, [0, width * across - 1], maxTicks);
  const grid = Array.from({ length: rows }, () => new Array<number>(width).fill(0));
  for (const line of lines) {
    for (const [px, py] of interpolateDots(line.map(([at, value]) => [x.at(at), y.at(value)]))) {
      const column = Math.floor(px / across);
      const cells = grid[Math.floor(py / down)];
      if (cells) cells[column] = (cells[column] ?? 0) | (DOTS[py % down]?.[px % across] ?? 1);
    }
  }
  const cellText = (dots: number) => {
    if (dots === 0) return ' ';
    return unicode ? String.fromCharCode(BRAILLE + dots) : '*';
  };
  const frame = unicode ? { side: '│', corner: '└', base: '─' } : { side: '|', corner: '+', base: '-' };
  const gridLines = grid.map(
    (cells, row) => `${(labels[row] ?? '').padStart(margin)}${frame.side}${cells.map(cellText).join('')}`,
  );
  const baseLine = `${' '.repeat(margin)}${frame.corner}${frame.base.repeat(width)}`;
  return [...gridLines, baseLine, `${' '.repeat(margin + 1)}${tickLine(x, width, across)}`];
}

function labelRows({ ticks, at }: Scale, rows: number, down: number): readonly string[] {
  const labels = new Array<string>(rows).fill('');
  for (const { value, text } of ticks) {
    const row = Math.floor(Math.round(at(value)) / down);
    if (row >= 0 && row < rows && labels[row] === '') labels[row] = text;
  }
  return labels;
}

/** Starts each text below its tick. Omits texts that do not fit. */
function tickLine({ ticks, at }: Scale, width: number, across: number): string {
  let line = '';
  for (const { value, text } of ticks) {
    const column = Math.floor(at(value) / across);
    const start = Math.min(column, width - displayWidth(text));
    if (line === '' || start > line.length + 1) line = line.padEnd(start) + text;
  }
  return line.padEnd(width);
}

function interpolateDots(points: Points): readonly (readonly [number, number])[] {
  return points.flatMap(([x, y], at) => {
    const [nextX, nextY] = points[at + 1] ?? [x, y];
    const count = Math.max(1, Math.ceil(Math.max(Math.abs(nextX - x), Math.abs(nextY - y))));
    return Array.from({ length: count + 1 }, (_, step) => {
      const share = step / count;
      return [Math.round(x + share * (nextX - x)), Math.round(y + share * (nextY - y))] as const;
    });
  });
}

const BLOCKS = '▁▂▃▄▅▆▇█';
const LETTERS = '_-~=+*%#';

/** Draws a column for each value; the height is relative to the highest value. */
export function sparkline(values: readonly number[], unicode: boolean): string {
  const levels = unicode ? BLOCKS : LETTERS;
  const highest = Math.max(0, ...values);
  const level = (value: number) =>
    highest > 0 ? Math.round((Math.max(0, value) / highest) * (levels.length - 1)) : 0;
  return values.map((value) => levels[level(value)]).join('');
}
