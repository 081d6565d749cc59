import type { Latency } from '../schema/report.js';

/** How long an operation takes that is slower than this share of all. */
export interface CurvePoint {
  readonly share: number;
  readonly ns: number;
}

/** Beyond the share that leaves fewer slower samples, chance decides. */
const FEWEST_LEFT = 10;

/**
 * Points of the distribution, evenly spaced by the logarithm of 1 / (1 - share), so that 90 %, 99 % and 99.9 % are
 * equally far apart. It ends where ten samples are left; with fewer than that at the start it is empty.
 */
export function percentileCurve(
  { samples, min, max, buckets }: Pick<Latency, 'samples' | 'min' | 'max' | 'buckets'>,
  points: number,
): readonly CurvePoint[] {
  const decades = Math.log10(samples / FEWEST_LEFT);
  if (decades <= 0) return [];
  const total = buckets.reduce((all, { count }) => all + count, 0);
  let at = 0;
  let reached = buckets[0]?.count ?? 0;
  return Array.from({ length: points }, (_, point) => {
    const share = 1 - 10 ** -((decades * point) / (points - 1));
    while (reached < share * total && at < buckets.length - 1) {
      at += 1;
      reached += buckets[at]?.count ?? 0;
    }
    const { from = min, below = max } = buckets[at] ?? {};
    return { share, ns: Math.min(max, Math.max(min, (from + below) / 2)) };
  });
}
