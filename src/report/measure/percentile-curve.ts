import type { Latency } from '../schema/report.js';

/** A share of all operations, and the latency of an operation that is slower than this share. */
type CurvePoint = readonly [share: number, ns: number];

export type LatencyDistribution = Pick<Latency, 'samples' | 'min' | 'max' | 'buckets'>;

/** With fewer slower samples, the percentile is mostly chance. */
const MIN_SLOWER_SAMPLES = 10;
const ROUNDING = 1e-6;

/**
 * Returns points of the distribution, evenly spaced by the logarithm of 1 / (1 - share), so 90 %, 99 % and 99.9 % are
 * equally far apart. The curve ends where ten samples remain; it is empty for at most ten samples.
 */
export function percentileCurve(latency: LatencyDistribution, points: number): readonly CurvePoint[] {
  const decades = Math.log10(latency.samples / MIN_SLOWER_SAMPLES);
  if (decades <= 0) return [];
  const shares = Array.from({ length: points }, (_, point) => 1 - 10 ** -((decades * point) / (points - 1)));
  return latenciesAt(latency, shares).flatMap((ns, at): CurvePoint[] =>
    ns === null ? [] : [[shares[at] ?? 0, ns]],
  );
}

/** Returns the latency at each share; `shares` ascend. Null where fewer than ten slower samples remain. */
export function latenciesAt(
  { samples, min, max, buckets }: LatencyDistribution,
  shares: readonly number[],
): readonly (number | null)[] {
  const total = buckets.reduce((all, { count }) => all + count, 0);
  let at = 0;
  let cumulativeCount = buckets[0]?.count ?? 0;
  return shares.map((share) => {
    if (samples * (1 - share) < MIN_SLOWER_SAMPLES * (1 - ROUNDING)) return null;
    while (cumulativeCount < share * total && at < buckets.length - 1) {
      at += 1;
      cumulativeCount += buckets[at]?.count ?? 0;
    }
    const { from = min, below = max } = buckets[at] ?? {};
    return Math.min(max, Math.max(min, (from + below) / 2));
  });
}
