import { BUCKET_COUNT } from '../../../workers/latency-recorder.js';
import { latencyAtPosition } from '../../report/measure/latency-summary.js';

/** How many operations are in each bucket that has any. */
export type Latencies = ReadonlyMap<number, number>;

/** Latencies of a slot of time. */
export interface SlotLatency {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** Reads the workers' latencies while they record more. */
export class LatencySampler {
  readonly #counts: readonly Float64Array[];
  #before = new Float64Array(BUCKET_COUNT);
  #now = new Float64Array(BUCKET_COUNT);

  constructor(counts: readonly Float64Array[]) {
    this.#counts = counts;
  }

  /** Those of all workers together since the last look. */
  sample(): Latencies {
    const now = this.#now.fill(0);
    for (const counts of this.#counts) {
      for (let bucket = 0; bucket < BUCKET_COUNT; bucket++)
        now[bucket] = (now[bucket] ?? 0) + (counts[bucket] ?? 0);
    }
    const latencies = new Map<number, number>();
    for (const [bucket, count] of now.entries()) {
      const more = count - (this.#before[bucket] ?? 0);
      if (more > 0) latencies.set(bucket, more);
    }
    [this.#before, this.#now] = [now, this.#before];
    return latencies;
  }
}

export function addLatencies(one: Latencies, other: Latencies): Latencies {
  const sum = new Map(one);
  for (const [bucket, count] of other) sum.set(bucket, (sum.get(bucket) ?? 0) + count);
  return sum;
}

/** As exact as the buckets. Null if there are none. */
export function computeSlotLatency(latencies: Latencies): SlotLatency | null {
  if (latencies.size === 0) return null;
  const sorted = [...latencies].toSorted(([one], [other]) => one - other);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  const at = (share: number) => latencyAtPosition(sorted, share * total);
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}
