import { computeMean } from './statistics/statistics.js';

/** A block of a disk or file, and the time to read it. */
export interface Zone {
  readonly offsetBytes: number;
  /** Only the last zone may be shorter than a block. */
  readonly bytes: number;
  readonly seconds: number;
}

/** The share of the times dropped at each end, as by zcav: outliers come from other programs. */
const TRIMMED_SHARE = 1 / 3;

/** Each block with the mean of its times in all loops. An incomplete loop counts for the blocks that it read. */
export function averageZones(loops: readonly (readonly Zone[])[]): readonly Zone[] {
  const [first = []] = loops;
  return first.map((zone, index) => {
    const times = loops.flatMap((zones) => zones[index]?.seconds ?? []);
    return { ...zone, seconds: trimmedMean(times) };
  });
}

function trimmedMean(times: readonly number[]): number {
  const skipped = Math.floor(times.length * TRIMMED_SHARE);
  return computeMean(times.toSorted((a, b) => a - b).slice(skipped, times.length - skipped));
}
