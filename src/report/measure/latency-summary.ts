import {
  BUCKET_COUNT,
  bucketFloorNs,
  bucketIndex,
  type LatencyTally,
} from '../../../workers/latency-recorder.js';
import type { Latency } from '../schema/report.js';
import { averageRuns, minMax, sum } from '../statistics/statistics.js';

/** Merges the latencies of all threads. Null if nothing was recorded. */
export function summarizeLatency(tallies: readonly LatencyTally[]): Latency | null {
  const recorded = tallies.filter(({ samples }) => samples > 0);
  const [first] = recorded;
  if (!first) return null;
  const counts = first.counts.map((_, bucket) => sum(recorded.map((tally) => tally.counts[bucket] ?? 0)));
  const operations = counts.reduce((total, count) => total + count, 0);
  const min = Math.min(...recorded.map(({ minNs }) => minNs));
  const max = Math.max(...recorded.map(({ maxNs }) => maxNs));
  const buckets = toBuckets(counts.entries());
  const percentile = createQuantileFunction({ min, max, buckets });
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
    buckets,
  };
}

/** Returns the buckets that are not empty, in the order of the counts. */
export function toBuckets(counts: Iterable<readonly [bucket: number, count: number]>): Latency['buckets'] {
  return [...counts]
    .filter(([, count]) => count > 0)
    .map(([bucket, count]) => ({ from: bucketFloorNs(bucket), below: bucketFloorNs(bucket + 1), count }));
}

/** Merges the known latencies of measurements by adding their histograms, because percentiles cannot be added. */
export function mergeLatencies(latencies: readonly (Latency | null | undefined)[]): Latency | null {
  const known = latencies.filter((latency) => latency != null);
  const tallies = known.map(({ samples, min, max, mean, buckets }) => {
    const counts = new Float64Array(BUCKET_COUNT);
    for (const { from, count } of buckets) {
      const bucket = bucketIndex(from);
      counts[bucket] = (counts[bucket] ?? 0) + count;
    }
    const totalNs = mean * sum(buckets.map(({ count }) => count));
    return { samples, minNs: min, maxNs: max, totalNs, counts };
  });
  return summarizeLatency(tallies);
}

/** Returns a function of a share: the latency that this share of the operations does not exceed, the middle of its bucket. */
export function createQuantileFunction({ min, max, buckets }: Pick<Latency, 'min' | 'max' | 'buckets'>) {
  const total = sum(buckets.map(({ count }) => count));
  return (share: number): number => {
    let cumulativeCount = 0;
    const found = buckets.find(({ count }) => {
      cumulativeCount += count;
      return cumulativeCount >= share * total;
    });
    const { from = min, below = max } = found ?? buckets.at(-1) ?? {};
    return Math.min(max, Math.max(min, Math.floor((from + below) / 2)));
  };
}

type LatencyDistribution = Pick<Latency, 'samples' | 'min' | 'max' | 'buckets'>;

/**
 * Returns points of the distribution: shares of the operations, and the latency of an operation that is slower than this
 * share, as the mean of the runs. They are evenly spaced by the logarithm of 1 / (1 - share), so 90 %, 99 % and 99.9 %
 * are equally far apart. The curve ends with the longest operation of all runs. Empty for a
 * single sample.
 */
export function percentileCurve(runs: readonly (LatencyDistribution | null)[], points: number) {
  const latencies = runs.filter((latency) => latency !== null);
  const decades = Math.log10(Math.max(1, ...latencies.map(({ samples }) => samples)));
  if (decades === 0) return [];
  const shares = Array.from({ length: points }, (_, point) => 1 - 10 ** -((decades * point) / (points - 1)));
  const quantiles = latencies.map(createQuantileFunction);
  const curve = shares.map(
    (share) => [share, averageRuns(quantiles.map((quantile) => quantile(share)))] as const,
  );
  return [...curve, [shares.at(-1) ?? 0, minMax(latencies.map(({ max }) => max)).max] as const];
}
