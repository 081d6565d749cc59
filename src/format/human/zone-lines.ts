import type { Zone } from '../../report/zone-means.js';
import { GIB, MIB } from '../../text/units.js';

/** zcav's columns. Lines that gnuplot must skip begin with `#`. */
export const ZONES_HEADER = '#block offset (GiB), MiB/s, time\n';

const OFFSET_DECIMALS = 2;

/** Renders a partial last block, which zcav omits, as a comment to keep it out of the plot. */
export function zoneLine({ offsetBytes, bytes, seconds }: Zone, blockBytes: number): string {
  const offset = (offsetBytes / GIB).toFixed(offsetDecimals(blockBytes));
  const row = `${offset} ${formatMib(bytes / seconds)} ${seconds.toFixed(3)}`;
  return bytes < blockBytes ? `#${row} (the last ${formatMib(bytes)} MiB)\n` : `${row}\n`;
}

/** Renders a zone of a single loop as a comment: only the mean of all loops is plotted. */
export function loopLine(zone: Zone, blockBytes: number): string {
  return `#${zoneLine(zone, blockBytes).replace(/^#/, '')}`;
}

export function loopHeader(loop: number, loops: number): string {
  return `# Loop ${loop} of ${loops}:\n`;
}

export function loopSummary(bytes: number, seconds: number): string {
  return `# Read ${formatMib(bytes)} MiB in ${seconds.toFixed(3)} seconds, ${formatMib(bytes / seconds)} MiB per second.\n`;
}

export function meanHeader(loops: number): string {
  return `#loops: ${loops}\n`;
}

/** Returns zcav's 2, or more decimals if neighbouring blocks would otherwise have the same offset. */
function offsetDecimals(blockBytes: number): number {
  return Math.max(OFFSET_DECIMALS, Math.ceil(Math.log10(GIB / blockBytes)));
}

function formatMib(bytes: number): string {
  return (bytes / MIB).toFixed(2);
}
