import { formatAmount } from '../../report/amount.js';
import { endsOf } from '../../report/measure/range.js';
import { computeMean } from '../../report/statistics/statistics.js';
import type { Zone } from '../../report/zones.js';
import { GIB, MB, formatBytes } from '../../text/units.js';
import type { Chart } from '../drawing/chart.js';
import { lookOf } from '../drawing/colours.js';
import { frame } from '../drawing/frame.js';
import { level } from '../drawing/lines.js';
import { axes, lineMark } from '../drawing/marks.js';
import { linear, type Span } from '../drawing/scale.js';
import { dotPlot } from '../writing/dots.js';
import { type Screen, screenWidth } from '../writing/screen.js';

const PLOT_HEIGHT = 180;
const ROWS = 10;

/** How fast each part of a disk is, from its front to its back. Null if nothing was read. */
export function zonesChart(zones: readonly Zone[], blockBytes: number): Chart | null {
  if (zones.length === 0) return null;
  const { line, xEnds, yEnds } = courseOf(zones);
  const { area, height } = frame([], PLOT_HEIGHT);
  const x = linear(xEnds, [area.left, area.right], String, 8);
  const y = linear(yEnds, [area.bottom, area.top], String);
  return {
    id: 'zones',
    heading: null,
    title: 'Rate by place',
    sentence: sentenceOf(zones),
    height,
    marks: [
      ...axes(area, x, y, ['GiB from the front', 'MB/s']),
      lineMark(
        line.map(([place, rate]) => [x.at(place), y.at(rate)]),
        lookOf(0),
      ),
    ],
    table: [
      ['from', 'rate'],
      ...zones.map((zone) => [
        formatBytes(zone.offsetBytes),
        `${formatAmount(rateOf(zone), 'bytesPerSecond')}${zone.bytes < blockBytes ? ' (part of a block)' : ''}`,
      ]),
    ],
  };
}

/** The same for a terminal. Empty if nothing was read. */
export function zonesPlot(zones: readonly Zone[], screen: Screen): string {
  if (zones.length === 0) return '';
  const { line, xEnds, yEnds } = courseOf(zones);
  const lines = dotPlot({
    ...{ lines: [line], moments: [], columns: screenWidth(screen), rows: ROWS, unicode: screen.unicode },
    x: (span: Span, mostTicks: number) => linear(xEnds, span, (value) => `${value} GiB`, mostTicks),
    y: (span: Span) => linear(yEnds, span, (value) => `${value} MB/s`, 4),
  });
  return ['', ...lines, ''].map((one) => one.trimEnd()).join('\n');
}

function courseOf(zones: readonly Zone[]) {
  const line = zones.flatMap((zone) =>
    level(zone.offsetBytes / GIB, (zone.offsetBytes + zone.bytes) / GIB, rateOf(zone) / MB),
  );
  const xEnds: Span = [0, line.at(-1)?.[0] ?? 0];
  const yEnds: Span = [0, endsOf(line.map(([, rate]) => rate))[1]];
  return { line, xEnds, yEnds };
}

function rateOf({ bytes, seconds }: Zone): number {
  return bytes / seconds;
}

function sentenceOf(zones: readonly Zone[]): string {
  const show = (rates: readonly number[]) => formatAmount(computeMean(rates), 'bytesPerSecond');
  const rates = zones.map(rateOf);
  const tenth = Math.max(1, Math.round(rates.length / 10));
  const [slowest, fastest] = endsOf(rates).map((rate) => show([rate]));
  return `The first tenth is read at ${show(rates.slice(0, tenth))}, the last at ${show(rates.slice(-tenth))}; the slowest part at ${slowest}, the fastest at ${fastest}.`;
}
