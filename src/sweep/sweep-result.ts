import { NS_PER_SECOND } from '../text/units.js';
import { findKnee, type LatencyBound, mostThreadsWithin } from './knee.js';
import { groupByIoSize, type SweepPoint } from './point.js';
import { findQuota, type Quota, type QuotaFacts } from './quota.js';

/** With fewer operations in flight than this share of the threads, threads wait elsewhere. */
const MIN_SHARE = 0.9;

export interface ResultPoint extends Omit<SweepPoint, 'samples'> {
  /** Rate x mean latency. Null if the latency is unknown. */
  readonly inFlight: number | null;
  /** What threads without an operation in flight wait for. */
  readonly waitReason: 'cpu' | 'quota' | 'outside-io' | null;
}

/** The document that `sweep --json` prints. */
export interface SweepResult {
  /** The knee of the first I/O size. */
  readonly knee: Pick<SweepPoint, 'threads' | 'operationsPerSecond' | 'p99Ns' | 'confidence95'> | null;
  readonly quota: Quota | null;
  /** Grouped by I/O size, in order of threads. */
  readonly points: readonly ResultPoint[];
  /** With --latency, the most threads of the first I/O size that meet it. */
  readonly latency?: { readonly condition: string; readonly threads: number | null };
}

export function analyzeSweep(
  points: readonly SweepPoint[],
  facts: QuotaFacts,
  bound: LatencyBound | null = null,
): SweepResult {
  const quota = findQuota(points, facts);
  const groups = groupByIoSize(points);
  const sorted = groups.flatMap((group) => group.toSorted((one, other) => one.threads - other.threads));
  const [first = []] = groups;
  const knee = findKnee(first);
  return {
    knee: knee && {
      threads: knee.threads,
      operationsPerSecond: knee.operationsPerSecond,
      p99Ns: knee.p99Ns,
      confidence95: knee.confidence95,
    },
    quota,
    points: sorted.map(({ samples, ...point }) => ({ ...point, ...countInFlight(point, quota !== null) })),
    ...(bound && {
      latency: { condition: bound.condition, threads: mostThreadsWithin(first, bound)?.threads ?? null },
    }),
  };
}

/** Counts the threads with an operation in flight, and finds what the others wait for. */
function countInFlight(
  { threads, operationsPerSecond, meanNs, limitedBy }: Omit<SweepPoint, 'samples'>,
  hasQuota: boolean,
): Pick<ResultPoint, 'inFlight' | 'waitReason'> {
  if (meanNs === null) return { inFlight: null, waitReason: null };
  const inFlight = (operationsPerSecond * meanNs) / NS_PER_SECOND;
  if (inFlight >= threads * MIN_SHARE) return { inFlight, waitReason: null };
  return { inFlight, waitReason: limitedBy ?? (hasQuota ? 'quota' : 'outside-io') };
}
