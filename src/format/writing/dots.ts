import type { Points } from '../drawing/chart.js';
import type { Scale, Span } from '../drawing/scale.js';
import { widthOf } from './width.js';

interface Plot {
  /** In the units of the scales. */
  readonly lines: readonly Points[];
  /** Where something happened, on the x axis. */
  readonly moments: readonly number[];
  readonly x: (span: Span, mostTicks: number) => Scale;
  readonly y: (span: Span) => Scale;
  readonly columns: number;
  readonly rows: number;
  readonly unicode: boolean;
}

/** A character of Braille has two by four dots; plain characters have one. */
const BRAILLE = 0x2800;
const DOTS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;
/** A tick and its text. */
const TICK_COLUMNS = 9;

/** A plot with axes as lines of text, all of one width. */
export function dotPlot({ lines, moments, x: xOn, y: yOn, columns, rows, unicode }: Plot): readonly string[] {
  const [across, down] = unicode ? [2, 4] : [1, 1];
  const y = yOn([rows * down - 1, 0]);
  const labels = labelsOf(y, rows, down);
  const margin = Math.max(...labels.map(widthOf));
  const width = columns - margin - 1;
  const x = xOn([0, width * across - 1], Math.max(2, Math.floor(width / TICK_COLUMNS)));
  const grid = Array.from({ length: rows }, () => new Array<number>(width).fill(0));
  for (const line of lines) {
    // A damaged report may hold moments and rates that are far beyond its axes.
    const inside = line.map(
      ([at, value]) => [within(x.at(at), width * across), within(y.at(value), rows * down)] as const,
    );
    for (const [px, py] of steps(inside)) {
      const [row, column] = [Math.floor(py / down), Math.floor(px / across)];
      const cells = grid[row];
      if (cells) cells[column] = (cells[column] ?? 0) | (DOTS[py % down]?.[px % across] ?? 1);
    }
  }
  const marked = new Set(moments.map((moment) => Math.floor(x.at(moment) / across)));
  const cellText = (dots: number, column: number) => {
    if (dots === 0) return marked.has(column) ? (unicode ? '╎' : ':') : ' ';
    return unicode ? String.fromCharCode(BRAILLE + dots) : '*';
  };
  const [side, corner, base] = unicode ? ['│', '└', '─'] : ['|', '+', '-'];
  return [
    ...grid.map(
      (cells, row) => `${(labels[row] ?? '').padStart(margin)}${side}${cells.map(cellText).join('')}`,
    ),
    `${' '.repeat(margin)}${corner}${base.repeat(width)}`,
    `${' '.repeat(margin + 1)}${tickLine(x, width, across)}`,
  ];
}

function within(dot: number, dots: number): number {
  return Math.min(dots - 1, Math.max(0, dot));
}

/** The text of the tick that is in each row. */
function labelsOf({ ticks, at }: Scale, rows: number, down: number): readonly string[] {
  const labels = new Array<string>(rows).fill('');
  for (const { value, text } of ticks) {
    const row = Math.floor(Math.round(at(value)) / down);
    if (row >= 0 && row < rows && labels[row] === '') labels[row] = text;
  }
  return labels;
}

/** Each text begins below its tick; one without room is left out. */
function tickLine({ ticks, at }: Scale, width: number, across: number): string {
  let line = '';
  for (const { value, text } of ticks) {
    const column = Math.floor(at(value) / across);
    const start = Math.min(column, width - widthOf(text));
    if (line === '' || start > line.length + 1) line = line.padEnd(start) + text;
  }
  return line.padEnd(width);
}

/** Every dot between the points. */
function steps(points: Points): readonly (readonly [number, number])[] {
  return points.flatMap(([x, y], at) => {
    const [nextX, nextY] = points[at + 1] ?? [x, y];
    const count = Math.max(1, Math.ceil(Math.max(Math.abs(nextX - x), Math.abs(nextY - y))));
    return Array.from({ length: count + 1 }, (_, step) => {
      const share = step / count;
      return [Math.round(x + share * (nextX - x)), Math.round(y + share * (nextY - y))] as const;
    });
  });
}
