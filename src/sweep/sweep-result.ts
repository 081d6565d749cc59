import { NS_PER_SECOND } from '../text/units.js';
import { findKnee, type LatencyBound, mostThreadsWithin } from './knee.js';
import { groupByIoSize, type SweepPoint } from './point.js';
import { findQuota, type QuotaFacts } from './quota.js';

/** With fewer operations in flight than this share of the threads, threads wait elsewhere. */
const MIN_SHARE = 0.9;

/** The document that `sweep --json` prints. */
export type SweepResult = ReturnType<typeof analyzeSweep>;
export type ResultPoint = SweepResult['points'][number];

/** With a bound, also finds the most threads of the first I/O size that meet it. */
export function analyzeSweep(
  points: readonly SweepPoint[],
  facts: QuotaFacts,
  bound: LatencyBound | null = null,
) {
  const quota = findQuota(points, facts);
  const groups = groupByIoSize(points);
  const sorted = groups.flatMap((group) => group.toSorted((one, other) => one.threads - other.threads));
  const [first = []] = groups;
  const knee = findKnee(first);
  return {
    /** The knee of the first I/O size. */
    knee: knee && {
      threads: knee.threads,
      operationsPerSecond: knee.operationsPerSecond,
      p99Ns: knee.p99Ns,
      confidence95: knee.confidence95,
    },
    quota,
    /** Grouped by I/O size, in order of threads. */
    points: sorted.map(({ samples, ...point }) => ({ ...point, ...countInFlight(point, quota !== null) })),
    ...(bound && {
      latency: { condition: bound.condition, threads: mostThreadsWithin(first, bound)?.threads ?? null },
    }),
  };
}

/** Counts the threads with an operation in flight: rate x mean latency. Finds what the others wait for. */
function countInFlight(
  { threads, operationsPerSecond, meanNs, limitedBy }: Omit<SweepPoint, 'samples'>,
  hasQuota: boolean,
) {
  if (meanNs === null) return { inFlight: null, waitReason: null };
  const inFlight = (operationsPerSecond * meanNs) / NS_PER_SECOND;
  if (inFlight >= threads * MIN_SHARE) return { inFlight, waitReason: null };
  const otherReason = hasQuota ? ('quota' as const) : ('outside-io' as const);
  return { inFlight, waitReason: limitedBy ?? otherReason };
}
