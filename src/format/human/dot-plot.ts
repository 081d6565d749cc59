import { displayWidth } from '../../text/width.js';
import type { Axis, Points, Scale } from '../page/drawing/scale.js';

export interface DotPlot {
  /** Lines in the units of the scales. */
  readonly lines: readonly Points[];
  readonly x: Axis;
  readonly y: Axis;
  readonly columns: number;
  readonly rows: number;
}

/** The empty Braille character. */
const BRAILLE = 0x2800;
const DOTS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;
const DOT_COLUMNS = 2;
const DOT_ROWS = 4;
/** Minimum width of a tick and its text. */
const TICK_COLUMNS = 9;

/** Draws a plot with axes as lines of text of the same width. */
export function dotPlot(plot: DotPlot): readonly string[] {
  const { lines, columns, rows } = plot;
  const all = lines.flat();
  const xValues = all.map(([at]) => at);
  const yValues = all.map(([, value]) => value);
  const y = plot.y(yValues, [rows * DOT_ROWS - 1, 0]);
  const labels = labelRows(y, rows);
  const margin = Math.max(...labels.map(displayWidth));
  const width = columns - margin - 1;
  const maxTicks = Math.max(2, Math.floor(width / TICK_COLUMNS));
  const x = plot.x(xValues, [0, width * DOT_COLUMNS - 1], maxTicks);
  const grid = Array.from({ length: rows }, () => new Array<number>(width).fill(0));
  for (const line of lines) {
    for (const [px, py] of interpolateDots(line.map(([at, value]) => [x.at(at), y.at(value)]))) {
      const column = Math.floor(px / DOT_COLUMNS);
      const cells = grid[Math.floor(py / DOT_ROWS)];
      if (cells) cells[column] = (cells[column] ?? 0) | (DOTS[py % DOT_ROWS]?.[px % DOT_COLUMNS] ?? 0);
    }
  }
  const cellText = (dots: number) => (dots === 0 ? ' ' : String.fromCharCode(BRAILLE + dots));
  const gridLines = grid.map(
    (cells, row) => `${(labels[row] ?? '').padStart(margin)}│${cells.map(cellText).join('')}`,
  );
  const baseLine = `${' '.repeat(margin)}└${'─'.repeat(width)}`;
  return [...gridLines, baseLine, `${' '.repeat(margin + 1)}${tickLine(x, width)}`];
}

function labelRows({ ticks, at }: Scale, rows: number): readonly string[] {
  const labels = new Array<string>(rows).fill('');
  for (const { value, text } of ticks) {
    const row = Math.floor(Math.round(at(value)) / DOT_ROWS);
    if (row >= 0 && row < rows && labels[row] === '') labels[row] = text;
  }
  return labels;
}

/** Starts each text below its tick. Omits texts that do not fit. */
function tickLine({ ticks, at }: Scale, width: number): string {
  let line = '';
  for (const { value, text } of ticks) {
    const column = Math.floor(at(value) / DOT_COLUMNS);
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

/** Draws a column for each value; the height is relative to the highest value. */
export function sparkline(values: readonly number[]): string {
  const highest = Math.max(0, ...values);
  const level = (value: number) =>
    highest > 0 ? Math.round((Math.max(0, value) / highest) * (BLOCKS.length - 1)) : 0;
  return values.map((value) => BLOCKS[level(value)]).join('');
}
