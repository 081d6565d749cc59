import { optionError } from '../errors.js';
import { parseAmount } from '../report/amount.js';
import { minMax } from '../report/statistics/statistics.js';
import { flag, msg } from '../text/message-template.js';
import { NS_PER_SECOND } from '../text/units.js';
import { groupByIoSize, type SweepPoint } from './point.js';
import { findQuota, type QuotaFacts } from './quota.js';

/** The knee has at least this share of the best rate. */
const KNEE_SHARE = 0.95;

/** With fewer operations in flight than this share of the depth, threads wait elsewhere. */
const MIN_SHARE = 0.9;

type RatedPoint = Omit<SweepPoint, 'samples'>;

/** The document that `sweep --json` prints. */
export type SweepResult = ReturnType<typeof analyzeSweep>;

/** A point with the operations that were in flight. */
export type ResultPoint = SweepResult['points'][number];

/** An upper bound of the p99. */
export type LatencyBound = Readonly<ReturnType<typeof parseLatencyBound>>;

export function analyzeSweep(
  points: readonly SweepPoint[],
  facts: QuotaFacts,
  bound: LatencyBound | null = null,
) {
  const quota = findQuota(points, facts);
  const groups = groupByIoSize(points);
  const sorted = groups.flatMap((group) => group.toSorted((one, other) => one.depth - other.depth));
  const [first = []] = groupByIoSize(sorted);
  const knee = findKnee(first);
  return {
    /** The knee of the first I/O size. */
    knee: knee && {
      depth: knee.depth,
      operationsPerSecond: knee.operationsPerSecond,
      p99Ns: knee.p99Ns,
      confidence95: knee.confidence95,
      /** False if a greater depth may be faster. */
      isReached: isKneeReached(first),
    },
    quota,
    /** Grouped by I/O size, in order of the depth. */
    points: sorted.map(({ samples, ...point }) => ({ ...point, ...countInFlight(point, quota !== null) })),
    /** The greatest depth of the first I/O size that meets the bound. Omitted without one. */
    ...(bound && {
      latency: { condition: bound.condition, depth: greatestDepthWithin(first, bound)?.depth ?? null },
    }),
  };
}

/** Counts the operations in flight: rate x mean latency. If they are fewer than the depth, finds the reason why threads wait. */
function countInFlight({ depth, operationsPerSecond, meanNs, limitedBy }: RatedPoint, hasQuota: boolean) {
  if (meanNs === null) return { inFlight: null, waitReason: null };
  const inFlight = (operationsPerSecond * meanNs) / NS_PER_SECOND;
  if (inFlight >= depth * MIN_SHARE) return { inFlight, waitReason: null };
  const waitReason = limitedBy ?? (hasQuota ? 'quota' : 'outside-io');
  return { inFlight, waitReason } as const;
}

/**
 * Returns the knee of points of one I/O size: the least depth within 5 % of the best rate. Null if the device served
 * none of them.
 */
export function findKnee<Point extends RatedPoint>(points: readonly Point[]): Point | null {
  const served = points.filter((point) => point.isServedByDevice && point.operationsPerSecond > 0);
  const { max: best } = minMax(served.map(({ operationsPerSecond }) => operationsPerSecond));
  const near = served.filter(({ operationsPerSecond }) => operationsPerSecond >= best * KNEE_SHARE);
  return near.toSorted((one, other) => one.depth - other.depth)[0] ?? null;
}

/** False if the rate still grew at the greatest depth of the points, which are in order of the depth. */
export function isKneeReached(points: readonly RatedPoint[]): boolean {
  const knee = findKnee(points);
  return knee !== null && knee.depth !== points.at(-1)?.depth;
}

export function parseLatencyBound(text: string) {
  const [, operator, amount = ''] = /^\s*p99\s*(<=?)(.*)$/s.exec(text) ?? [];
  const bound = parseAmount(amount, 'nanoseconds');
  if (bound === null)
    throw optionError(
      msg`invalid ${flag('latency', text)}: expected an upper bound of p99`,
      'for example, --latency "p99<2ms"',
    );
  const isMetBy = (p99Ns: number) => p99Ns < bound || (operator === '<=' && p99Ns === bound);
  return { condition: text.trim(), isMetBy };
}

export function greatestDepthWithin<Point extends RatedPoint>(points: readonly Point[], bound: LatencyBound) {
  const meeting = points.filter((point) => point.isServedByDevice && bound.isMetBy(point.p99Ns ?? Infinity));
  return meeting.toSorted((one, other) => other.depth - one.depth)[0] ?? null;
}
