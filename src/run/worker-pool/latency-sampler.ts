import { BUCKET_COUNT } from '../../../workers/latency-recorder.js';
import { latencyAtPosition } from '../../report/measure/latency-summary.js';

/** Number of operations per bucket, without empty buckets. */
export type Latencies = ReadonlyMap<number, number>;

/** Latencies in a slot of time, in ns. */
export interface SlotLatency {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** Reads the workers' latencies while they record more. */
export class LatencySampler {
  readonly #counts: readonly Float64Array[];
  #before = new Float64Array(BUCKET_COUNT);

  constructor(counts: readonly Float64Array[]) {
    this.#counts = counts;
  }

  /** Returns the latencies of all workers since the last sample. */
  sample(): Latencies {
    const now = new Float64Array(BUCKET_COUNT);
    for (const counts of this.#counts) {
      for (let bucket = 0; bucket < BUCKET_COUNT; bucket++)
        now[bucket] = (now[bucket] ?? 0) + (counts[bucket] ?? 0);
    }
    const latencies = new Map<number, number>();
    for (const [bucket, count] of now.entries()) {
      const more = count - (this.#before[bucket] ?? 0);
      if (more > 0) latencies.set(bucket, more);
    }
    this.#before = now;
    return latencies;
  }
}

export function addLatencies(one: Latencies, other: Latencies): Latencies {
  const sum = new Map(one);
  for (const [bucket, count] of other) sum.set(bucket, (sum.get(bucket) ?? 0) + count);
  return sum;
}

/** Returns percentiles as exact as the buckets. Null without operations. */
export function computeSlotLatency(latencies: Latencies): SlotLatency | null {
  if (latencies.size === 0) return null;
  const sorted = [...latencies].toSorted(([one], [other]) => one - other);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  const at = (share: number) => latencyAtPosition(sorted, share * total);
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}
