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

/** How fast each part of a disk is, from its front to its back. Null if nothing was read. */
export function zoneChart(zones: readonly Zone[], blockBytes: number): Chart | null {
  if (zones.length === 0) return null;
  const { line, xSpan, ySpan } = zoneCurve(zones);
  const { area, height } = createFrame([], PLOT_HEIGHT);
  const x = linearScale(xSpan, [area.left, area.right], String, 8);
  const y = linearScale(ySpan, [area.bottom, area.top], String);
  return {
    id: 'zones',
    heading: null,
    title: 'Rate by place',
    description: describeZones(zones),
    height,
    marks: [
      ...axisMarks(area, x, y, ['GiB from the front', 'MB/s']),
      polylineMark(
        line.map(([place, rate]) => [x.at(place), y.at(rate)]),
        lineStyle(0),
      ),
    ],
    table: [
      ['from', 'rate'],
      ...zones.map((zone) => [
        formatBytes(zone.offsetBytes),
        `${formatAmount(zoneRate(zone), 'bytesPerSecond')}${zone.bytes < blockBytes ? ' (part of a block)' : ''}`,
      ]),
    ],
  };
}

/** The same for a terminal. Empty if nothing was read. */
export function zonePlot(zones: readonly Zone[], screen: Screen): string {
  if (zones.length === 0) return '';
  const { line, xSpan, ySpan } = zoneCurve(zones);
  const lines = dotPlot({
    ...{ lines: [line], markers: [], columns: plotWidth(screen), rows: ROWS, unicode: screen.unicode },
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
  return `The first tenth is read at ${show(rates.slice(0, tenthCount))}, the last at ${show(rates.slice(-tenthCount))}; the slowest part at ${show([slowest])}, the fastest at ${show([fastest])}.`;
}
