import type { Zone } from '../../report/zones.js';
import { GIB, MIB } from '../../text/units.js';

/** zcav's columns. What is no line of data begins with `#`, so that gnuplot passes it by. */
export const ZONES_HEADER = '#block offset (GiB), MiB/s, time\n';

/** zcav's. */
const OFFSET_DECIMALS = 2;

/** zcav leaves out what is less than a block at the end; here it is told, but not plotted either. */
export function zoneLine(zone: Zone, blockBytes: number): string {
  const row = rowOf(zone, blockBytes);
  return zone.bytes < blockBytes ? `#${row} (the last ${inMib(zone.bytes)} MiB)\n` : `${row}\n`;
}

/** A line of one loop of several: it is the mean of all of them that is plotted. */
export function loopLine(zone: Zone, blockBytes: number): string {
  return `#${zoneLine(zone, blockBytes).replace(/^#/, '')}`;
}

export function loopHeader(loop: number, loops: number): string {
  return `# Loop ${loop} of ${loops}:\n`;
}

export function loopSummary(bytes: number, seconds: number): string {
  return `# Read ${inMib(bytes)} MiB in ${seconds.toFixed(3)} seconds, ${inMib(bytes / seconds)} MiB per second.\n`;
}

export function meanHeader(loops: number): string {
  return `#loops: ${loops}\n`;
}

function rowOf({ offsetBytes, bytes, seconds }: Zone, blockBytes: number): string {
  const offset = (offsetBytes / GIB).toFixed(offsetDecimals(blockBytes));
  return `${offset} ${inMib(bytes / seconds)} ${seconds.toFixed(3)}`;
}

/** More than zcav's only where two neighbours would else be plotted on one spot. */
function offsetDecimals(blockBytes: number): number {
  return Math.max(OFFSET_DECIMALS, Math.ceil(Math.log10(GIB / blockBytes)));
}

function inMib(bytes: number): string {
  return (bytes / MIB).toFixed(2);
}
