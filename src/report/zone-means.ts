import { computeMean } from './statistics/statistics.js';

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
