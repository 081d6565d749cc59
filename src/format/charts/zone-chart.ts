import { formatAmount } from '../../report/amount.js';
import { minMax } from '../../report/measure/min-max.js';
import { computeMean } from '../../report/statistics/statistics.js';
import type { Zone } from '../../report/zone-means.js';
import { formatBytes, GIB, MB } from '../../text/units.js';
import type { Chart } from '../drawing/chart.js';
import { constantSegment } from '../drawing/curve.js';
import { createFrame } from '../drawing/frame.js';
import { lineStyle } from '../drawing/line-style.js';
import { axisMarks, polylineMark } from '../drawing/marks.js';
import { linearScale, type Span } from '../drawing/scale.js';
import { dotPlot } from '../writing/dot-plot.js';
import { plotWidth, type Screen } from '../writing/screen.js';

const PLOT_HEIGHT = 180;
const ROWS = 10;

/** Draws the rate of each part of a disk, from its first block to its last. Null if nothing was read. */
export function zoneChart(zones: readonly Zone[], blockBytes: number): Chart | null {
  if (zones.length === 0) return null;
  const { line, xSpan, ySpan } = zoneCurve(zones);
  const { area, height } = createFrame([], PLOT_HEIGHT);
  const x = linearScale(xSpan, [area.left, area.right], String, 8);
  const y = linearScale(ySpan, [area.bottom, area.top], String);
  return {
    id: 'zones',
    heading: null,
    title: 'Rate by offset',
    description: describeZones(zones),
    height,
    marks: [
      ...axisMarks(area, x, y, ['offset in GiB', 'MB/s']),
      polylineMark(
        line.map(([offset, rate]) => [x.at(offset), y.at(rate)]),
        lineStyle(0),
      ),
    ],
    table: [
      ['offset', 'rate'],
      ...zones.map((zone) => [
        formatBytes(zone.offsetBytes),
        `${formatAmount(zoneRate(zone), 'bytesPerSecond')}${zone.bytes < blockBytes ? ' (partial block)' : ''}`,
      ]),
    ],
  };
}

/** Draws the same chart for a terminal. Empty if nothing was read. */
export function zonePlot(zones: readonly Zone[], screen: Screen): string {
  if (zones.length === 0) return '';
  const { line, xSpan, ySpan } = zoneCurve(zones);
  const lines = dotPlot({
    lines: [line],
    markers: [],
    columns: plotWidth(screen),
    rows: ROWS,
    unicode: screen.unicode,
    x: (span: Span, maxTicks: number) => linearScale(xSpan, span, (value) => `${value} GiB`, maxTicks),
    y: (span: Span) => linearScale(ySpan, span, (value) => `${value} MB/s`, 4),
  });
  return ['', ...lines, ''].map((one) => one.trimEnd()).join('\n');
}

function zoneCurve(zones: readonly Zone[]) {
  const line = zones.flatMap((zone) =>
    constantSegment(zone.offsetBytes / GIB, (zone.offsetBytes + zone.bytes) / GIB, zoneRate(zone) / MB),
  );
  const xSpan: Span = [0, line.at(-1)?.[0] ?? 0];
  const ySpan: Span = [0, minMax(line.map(([, rate]) => rate)).max];
  return { line, xSpan, ySpan };
}

function zoneRate({ bytes, seconds }: Zone): number {
  return bytes / seconds;
}

function describeZones(zones: readonly Zone[]): string {
  const show = (rates: readonly number[]) => formatAmount(computeMean(rates), 'bytesPerSecond');
  const rates = zones.map(zoneRate);
  const tenthCount = Math.max(1, Math.round(rates.length / 10));
  const { min: slowest, max: fastest } = minMax(rates);
  return `First tenth: ${show(rates.slice(0, tenthCount))}; last tenth: ${show(rates.slice(-tenthCount))}; slowest part: ${show([slowest])}; fastest part: ${show([fastest])}.`;
}
