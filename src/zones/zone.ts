import { computeMean } from '../report/statistics/statistics.js';
import { GIB, MIB } from '../text/units.js';

/** A block of a disk or file, and the time to read it. */
export interface Zone {
  readonly offsetBytes: number;
  /** Only the last zone may be shorter than a block. */
  readonly bytes: number;
  readonly seconds: number;
}

/** The share of the times to drop at each end, as zcav does: other programs cause outliers. */
const TRIMMED_SHARE = 1 / 3;

/** Averages each block's time over all loops. An incomplete loop counts for the blocks that it read. */
export function averageZones(loops: readonly (readonly Zone[])[]): readonly Zone[] {
  const [first = []] = loops;
  return first.map((zone, index) => {
    const times = loops.map((zones) => zones[index]?.seconds).filter((seconds) => seconds !== undefined);
    const skipped = Math.floor(times.length * TRIMMED_SHARE);
    const kept = times.toSorted((a, b) => a - b).slice(skipped, times.length - skipped);
    return { ...zone, seconds: computeMean(kept) };
  });
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

/** Renders a zone of a single loop as a comment: gnuplot plots only the mean of all loops. */
export function loopLine(zone: Zone, blockBytes: number): string {
  return `#${zoneLine(zone, blockBytes).replace(/^#/, '')}`;
}

export function loopSummary(bytes: number, seconds: number): string {
  return `# Read ${formatMib(bytes)} MiB in ${seconds.toFixed(3)} seconds, ${formatMib(bytes / seconds)} MiB per second.\n`;
}

function formatMib(bytes: number): string {
  return (bytes / MIB).toFixed(2);
}
