import { describe, expect, test } from 'vitest';
import { lineChart } from '../../../../src/format/page/drawing/line-chart.js';
import { lineStyle } from '../../../../src/format/page/drawing/line-style.js';
import { barMark, intervalMarks, rowChart } from '../../../../src/format/page/drawing/row-chart.js';
import { linearScale, proportionalScale } from '../../../../src/format/page/drawing/scale.js';

const DESCRIPTION = { description: '' };
const STYLE = lineStyle(0);

describe('a row chart', () => {
  const rows = [4, 2].map((value) => ({
    name: `row ${value}`,
    values: `value ${value}`,
    cells: [String(value)],
    marks: (x: (value: number) => number) => [
      barMark(x(0), x(value), STYLE.fill),
      ...intervalMarks({ low: 1, high: value }, x, STYLE),
    ],
  }));

  test('draws each row below the previous one: its name, its marks and its values, and lists further rows in its table', () => {
    const { marks, height, table } = rowChart({
      ...DESCRIPTION,
      heads: ['value'],
      rows: [...rows, ...rows.map((row) => ({ ...row, isOnlyInTable: true }))],
      right: 600,
      x: (span) => proportionalScale(4, span),
    });
    expect(marks[0]).toMatch(
      /^<g transform="translate\(0,22\)"><text x="190".*>row 4<.*<text x="610".*>value 4<.*<rect x="200" y="-7" width="400" height="14".*<line x1="300" y1="0" x2="600" /,
    );
    expect(marks[1]).toMatch(/^<g transform="translate\(0,50\)">.*<rect x="200" y="-7" width="200"/);
    expect(height).toBe(8 + 2 * 28);
    expect(table.slice(0, 3)).toEqual([
      ['', 'value'],
      ['row 4', '4'],
      ['row 2', '2'],
    ]);
    expect(table).toHaveLength(5);
  });
});

describe('a line chart', () => {
  const lineOf = (name: string, value: number) => ({
    name,
    style: STYLE,
    points: [[0, value] as const, [10, value] as const],
  });
  const chartOf = (names: readonly string[]) => {
    const lines = names.map((name, at) => lineOf(name, at));
    const legendEntries = [...new Set(names)].map((name) => ({ name, style: STYLE }));
    return lineChart({
      ...DESCRIPTION,
      table: [],
      lines,
      legendEntries,
      plotHeight: 100,
      x: (values, span) => linearScale(values, span, String),
      y: (values, span) => linearScale(values, span, String),
      xTitle: 'time',
      yTitle: 'rate',
    });
  };
  const linesOf = (names: readonly string[]) =>
    chartOf(names).marks.filter((mark) => mark.startsWith('<polyline') && mark.includes('width="1.6"'));

  test('has a legend above the plot for two names, but not for one', () => {
    expect(chartOf(['one', 'one']).marks.join('')).not.toContain('>one</text>');
    const { marks, height } = chartOf(['one', 'two']);
    expect(marks.join('')).toContain('>two</text>');
    expect(height).toBe(18 + 26 + 100 + 40);
  });

  test('draws at most 20 lines of each name', () => {
    expect(linesOf(new Array<string>(20).fill('few'))).toHaveLength(20);
    expect(linesOf([...new Array<string>(1000).fill('many'), 'single'])).toHaveLength(21);
  });
});
