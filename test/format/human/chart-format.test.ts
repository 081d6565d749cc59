import { describe, expect, test } from 'vitest';
import { chartText } from '../../../src/format/human/chart-format.js';
import { dotPlot } from '../../../src/format/human/dot-plot.js';
import { PLAIN_PAINT } from '../../../src/format/human/screen.js';
import { reportFormats } from '../../../src/format/index.js';
import { type Axis, linearScale } from '../../../src/format/page/drawing/scale.js';
import { toResults } from '../../../src/report/results.js';
import { displayWidth } from '../../../src/text/width.js';
import { measurementWith, reportWith, runWith } from '../../support/data/fixtures.js';
import { foreignResults } from '../page/foreign-results.js';
import { wavyReport } from '../page/wavy.js';

const REPORT = wavyReport(1, [1]);
const textAt = (columns: number, report = REPORT) =>
  chartText([toResults(report)], { columns, paint: PLAIN_PAINT });

/** A write of 3 s that is ten times as fast in its second second. */
function peakReport() {
  const seconds = Array.from({ length: 30 }, (_, at) => (at + 1) / 10);
  const bytes = seconds.map((second) => 1e8 * (second + 9 * Math.max(0, Math.min(1, second - 1))));
  const series = { seconds, bytes, operations: bytes };
  const write = measurementWith({ seconds: 3, latencyNs: null, series });
  return reportWith({ runs: [runWith({ measurements: [write] })] });
}

describe.each([40, 80, 140])('at %i columns', (columns) => {
  test('no line is wider than the window', () => {
    const lines = textAt(columns).split('\n');
    expect(lines.filter((line) => displayWidth(line) >= columns)).toEqual([]);
    const titles = lines.filter((line) => /^Sequential (Write|Read), MB\/s|^IOPS, ops\/s/.test(line));
    expect(titles).toHaveLength(3);
  });
});

test('each phase has its own time scale, which ends with the phase', () => {
  const [write, read] = [1, 30].map((seconds) => {
    const at = Array.from({ length: 10 }, (_, index) => ((index + 1) * seconds) / 10);
    const series = { seconds: at, bytes: at.map((one) => one * 1e8), operations: at };
    return measurementWith({ step: `of ${seconds}`, seconds, latencyNs: null, series });
  });
  const runs = [runWith({ measurements: [write, read].flatMap((one) => one ?? []) })];
  const dots = textAt(80, reportWith({ runs })).match(/│[^│\n]*[\u2801-\u28ff]+/g) ?? [];
  expect(dots.map((line) => line.trim().length > 25)).toEqual([true, true]);
});

test('rates are at the right time and height', () => {
  const [title, ...lines] = textAt(60, peakReport()).split('\n');
  expect(title).toBe('Sequential Write, MB/s');
  const dotColumns = (line = '') => [...line.matchAll(/[\u2801-\u28ff]/g)].map(({ index }) => index);
  const highest = dotColumns(lines.find((line) => /[\u2801-\u28ff]/.test(line)));
  const width = 60 - 1 - displayWidth('1000│');
  expect(Math.min(...highest)).toBeGreaterThanOrEqual(5 + Math.floor(width / 3) - 1);
  expect(Math.max(...highest)).toBeLessThanOrEqual(5 + Math.ceil((2 * width) / 3) + 1);
  expect(lines.find((line) => /[\u2801-\u28ff]/.test(line))).toMatch(/^1000│/);
});

test('each further nine of a percentile is at the same distance', () => {
  const lines = textAt(80).split('\n');
  const ticks = lines.find((line) => line.includes('99.9 %')) ?? '';
  const [ninety, nines, more] = ['90 %', '99 %', '99.9 %'].map((tick) => ticks.indexOf(tick));
  expect(Math.abs((more ?? 0) - (nines ?? 0) - ((nines ?? 0) - (ninety ?? 0)))).toBeLessThanOrEqual(3);
});

test('results without rates over time get a message below their names', () => {
  const text = reportFormats.chart.render(foreignResults);
  expect(text).toMatch(/^\S.*:\n\nThese results have no rates over time\.\n/);
  expect(text.match(/no rates over time/g)).toHaveLength(foreignResults.length);
});

const axis: Axis = (values, span) => linearScale(values, span, String);

test('a rising line goes from the bottom left to the top right, with two by four dots in a character', () => {
  const line = [
    [0, 0],
    [10, 10],
  ] as const;
  expect(dotPlot({ lines: [line], x: axis, y: axis, columns: 20, rows: 4 }).slice(0, 4)).toEqual([
    '8│             ⢀⣀⠤⠒⠉',
    '6│         ⣀⠤⠔⠊⠁    ',
    '4│    ⢀⡠⠔⠒⠉         ',
    '0│⣀⠤⠒⠉⠁             ',
  ]);
});
