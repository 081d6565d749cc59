import {
  BUCKET_COUNT,
  bucketFloorNs,
  bucketIndex,
  type LatencyTally,
} from '../../../workers/latency-recorder.js';
import type { Latency } from '../schema/report.js';
import { sum } from '../statistics/statistics.js';

/** Merges the latencies of all threads. Null if nothing was recorded. */
export function summarizeLatency(tallies: readonly LatencyTally[]): Latency | null {
  const recorded = tallies.filter(({ samples }) => samples > 0);
  const [first] = recorded;
  if (!first) return null;
  const counts = first.counts.map((_, bucket) => sum(recorded.map((tally) => tally.counts[bucket] ?? 0)));
  const operations = counts.reduce((total, count) => total + count, 0);
  const min = Math.min(...recorded.map(({ minNs }) => minNs));
  const max = Math.max(...recorded.map(({ maxNs }) => maxNs));
  const percentile = (share: number) =>
    Math.min(max, Math.max(min, latencyAtPosition(counts.entries(), share * operations)));
  return {
    samples: sum(recorded.map(({ samples }) => samples)),
    min,
    mean: sum(recorded.map(({ totalNs }) => totalNs)) / operations,
    p50: percentile(0.5),
    p90: percentile(0.9),
    p95: percentile(0.95),
    p99: percentile(0.99),
    p999: percentile(0.999),
    p9999: percentile(0.9999),
    max,
    buckets: toBuckets(counts),
  };
}

/** Merges measurements by adding their histograms, because percentiles cannot be added. */
export function mergeLatencies(latencies: readonly Latency[]): Latency | null {
  return summarizeLatency(latencies.map(toTally));
}

function toTally({ samples, min, max, mean, buckets }: Latency): LatencyTally {
  const counts = new Float64Array(BUCKET_COUNT);
  for (const { from, count } of buckets) {
    const bucket = bucketIndex(from);
    counts[bucket] = (counts[bucket] ?? 0) + count;
  }
  return { samples, minNs: min, maxNs: max, totalNs: mean * sum(buckets.map(({ count }) => count)), counts };
}

/** Returns the middle of the bucket that holds the operation at this position, counted from the fastest. */
export function latencyAtPosition(
  counts: Iterable<readonly [bucket: number, count: number]>,
  position: number,
): number {
  let cumulativeCount = 0;
  for (const [bucket, count] of counts) {
    cumulativeCount += count;
    if (count > 0 && cumulativeCount >= position)
      return Math.floor((bucketFloorNs(bucket) + bucketFloorNs(bucket + 1)) / 2);
  }
  throw new Error(`position ${position} is beyond the last latency`);
}

function toBuckets(counts: Float64Array): Latency['buckets'] {
  return [...counts.entries()]
    .filter(([, count]) => count > 0)
    .map(([bucket, count]) => ({ from: bucketFloorNs(bucket), below: bucketFloorNs(bucket + 1), count }));
}
