import type { Latency } from '../schema/report.js';

/** How long an operation takes that is slower than this share of all. */
export interface CurvePoint {
  readonly share: number;
  readonly ns: number;
}

export type Distribution = Pick<Latency, 'samples' | 'min' | 'max' | 'buckets'>;

/** Beyond the share that leaves fewer slower samples, chance decides. */
const FEWEST_LEFT = 10;
const ROUNDING = 1e-6;

/**
 * Points of the distribution, evenly spaced by the logarithm of 1 / (1 - share), so that 90 %, 99 % and 99.9 % are
 * equally far apart. It ends where ten samples are left; with fewer than that at the start it is empty.
 */
export function percentileCurve(latency: Distribution, points: number): readonly CurvePoint[] {
  const decades = Math.log10(latency.samples / FEWEST_LEFT);
  if (decades <= 0) return [];
  const shares = Array.from({ length: points }, (_, point) => 1 - 10 ** -((decades * point) / (points - 1)));
  return latenciesAt(latency, shares).flatMap((ns, at) => {
    const share = shares[at];
    return share === undefined || ns === null ? [] : [{ share, ns }];
  });
}

/** At each of these shares, which ascend. Null where fewer than ten slower samples are left. */
export function latenciesAt(
  { samples, min, max, buckets }: Distribution,
  shares: readonly number[],
): readonly (number | null)[] {
  const total = buckets.reduce((all, { count }) => all + count, 0);
  let at = 0;
  let reached = buckets[0]?.count ?? 0;
  return shares.map((share) => {
    if (samples * (1 - share) < FEWEST_LEFT * (1 - ROUNDING)) return null;
    while (reached < share * total && at < buckets.length - 1) {
      at += 1;
      reached += buckets[at]?.count ?? 0;
    }
    const { from = min, below = max } = buckets[at] ?? {};
    return Math.min(max, Math.max(min, (from + below) / 2));
  });
}
