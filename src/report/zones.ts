import { sum } from './statistics/statistics.js';

/** A block of a disk or a file, and how long it took to read it. */
export interface Zone {
  readonly offsetBytes: number;
  /** Less than a whole block only at the end. */
  readonly bytes: number;
  readonly seconds: number;
}

/** This part of the times is left out at each end, as zcav does it: another program's disturbance is no zone. */
const LEFT_OUT = 1 / 3;

/** All loops in one: each block with the mean of its times. A loop that was cut short counts as far as it came. */
export function meanZones(loops: readonly (readonly Zone[])[]): readonly Zone[] {
  const [first = []] = loops;
  return first.map((zone, index) => {
    const times = loops.flatMap((zones) => zones[index]?.seconds ?? []);
    return { ...zone, seconds: middleMean(times) };
  });
}

function middleMean(times: readonly number[]): number {
  const skipped = Math.floor(times.length * LEFT_OUT);
  const middle = times.toSorted((a, b) => a - b).slice(skipped, times.length - skipped);
  return sum(middle) / middle.length;
}
