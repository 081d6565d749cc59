import { computeMean, minMax } from '../../report/statistics/statistics.js';
import type { Zone } from '../../report/zone-means.js';
import { formatBytes, GIB, MIB } from '../../text/units.js';
import { dotPlot } from '../human/dot-plot.js';
import { plotWidth, type Screen } from '../human/screen.js';
import { figure, folded, htmlDocument, tableElement, textTag } from './document.js';
import { plot } from './drawing/plot.js';
import { linearScale, type Points, proportionalScale } from './drawing/scale.js';
import { constantSegment } from './drawing/timeline.js';

const ROWS = 10;
/** The hue of reads. */
const HUE = 1;

export function zonePage(file: string, zones: readonly Zone[], blockBytes: number): string {
  const title = `gobonnie zones: ${file}`;
  const heading = textTag('h1', title);
  if (zones.length === 0) return htmlDocument(title, [heading, textTag('p', 'Nothing was read.')]);
  const chart = plot({
    label: 'Rate by offset',
    lines: [{ name: '', hue: HUE, points: zonePoints(zones) }],
    height: 260,
    x: 'linear GiB',
    y: 'linear MiB/s',
  });
  const rows = zones.map((zone) => {
    const note = zone.bytes < blockBytes ? ' (partial block)' : '';
    return [formatBytes(zone.offsetBytes), rateText(zoneRate(zone)) + note];
  });
  return htmlDocument(title, [
    heading,
    textTag('p', describeZones(zones), 'lead'),
    figure('Rate by offset', 'MiB/s', `f${HUE}`, chart),
    folded('All zones', tableElement([['offset', 'rate'], ...rows])),
  ]);
}

/** Draws the same chart for a terminal. Empty if nothing was read. */
export function zonePlot(zones: readonly Zone[], screen: Screen): string {
  if (zones.length === 0) return '';
  const lines = dotPlot({
    lines: [zonePoints(zones)],
    columns: plotWidth(screen),
    rows: ROWS,
    unicode: screen.unicode,
    x: (offsets, span, maxTicks) => proportionalScale(offsets, span, (value) => `${value} GiB`, maxTicks),
    y: (rates, span) => linearScale([0, ...rates], span, (value) => `${value} MiB/s`, 4),
  });
  return ['', ...lines, ''].map((one) => one.trimEnd()).join('\n');
}

function zonePoints(zones: readonly Zone[]): Points {
  return zones.flatMap((zone) =>
    constantSegment(zone.offsetBytes / GIB, (zone.offsetBytes + zone.bytes) / GIB, zoneRate(zone) / MIB),
  );
}

function zoneRate({ bytes, seconds }: Zone): number {
  return bytes / seconds;
}

function describeZones(zones: readonly Zone[]): string {
  const show = (rates: readonly number[]) => rateText(computeMean(rates));
  const rates = zones.map(zoneRate);
  const tenthCount = Math.max(1, Math.round(rates.length / 10));
  const { min: slowest, max: fastest } = minMax(rates);
  return `First tenth: ${show(rates.slice(0, tenthCount))}; last tenth: ${show(rates.slice(-tenthCount))}; slowest part: ${show([slowest])}; fastest part: ${show([fastest])}.`;
}

/** zcav's columns. Lines that gnuplot must skip begin with `#`. */
export const ZONES_HEADER = '#block offset (GiB), MiB/s, time\n';

/** zcav omits a partial last block. Here it is a comment, which gnuplot skips. */
export function zoneLine({ offsetBytes, bytes, seconds }: Zone, blockBytes: number): string {
  // zcav's 2 decimals, or more if neighbouring blocks would otherwise have the same offset.
  const decimals = Math.max(2, Math.ceil(Math.log10(GIB / blockBytes)));
  const offset = (offsetBytes / GIB).toFixed(decimals);
  const row = `${offset} ${formatMib(bytes / seconds)} ${seconds.toFixed(3)}`;
  return bytes < blockBytes ? `#${row} (the last ${formatMib(bytes)} MiB)\n` : `${row}\n`;
}

/** Renders a zone of a single loop as a comment: only the mean of all loops is plotted. */
export function loopLine(zone: Zone, blockBytes: number): string {
  return `#${zoneLine(zone, blockBytes).replace(/^#/, '')}`;
}

export function loopSummary(bytes: number, seconds: number): string {
  return `# Read ${formatMib(bytes)} MiB in ${seconds.toFixed(3)} seconds, ${formatMib(bytes / seconds)} MiB per second.\n`;
}

/** The chart has the unit of the lines, which is zcav's. */
function rateText(bytesPerSecond: number): string {
  return `${formatMib(bytesPerSecond)} MiB/s`;
}

function formatMib(bytes: number): string {
  return (bytes / MIB).toFixed(2);
}
