import { optionError } from '../errors.js';
import { parseAmount } from '../report/amount.js';
import { minMax } from '../report/statistics/statistics.js';
import { flag, msg } from '../text/message-template.js';
import { NS_PER_SECOND } from '../text/units.js';
import { groupByIoSize, type SweepPoint } from './point.js';
import { findQuota, type QuotaFacts } from './quota.js';

/** The knee has at least this share of the best rate. */
const KNEE_SHARE = 0.95;

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

type RatedPoint = Pick<SweepPoint, 'threads' | 'operationsPerSecond' | 'p99Ns' | 'isServedByDevice'>;

/**
 * Returns the knee of points of one I/O size: the least threads within 5 % of the best rate. Null if the device served
 * none of them.
 */
export function findKnee<Point extends RatedPoint>(points: readonly Point[]): Point | null {
  const served = points.filter((point) => point.isServedByDevice && point.operationsPerSecond > 0);
  const { max: best } = minMax(served.map(({ operationsPerSecond }) => operationsPerSecond));
  const near = served.filter(({ operationsPerSecond }) => operationsPerSecond >= best * KNEE_SHARE);
  return near.toSorted((one, other) => one.threads - other.threads)[0] ?? null;
}

export type LatencyBound = ReturnType<typeof parseLatencyBound>;

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

export function mostThreadsWithin<Point extends RatedPoint>(points: readonly Point[], bound: LatencyBound) {
  const meeting = points.filter((point) => point.isServedByDevice && bound.isMetBy(point.p99Ns ?? Infinity));
  return meeting.toSorted((one, other) => other.threads - one.threads)[0] ?? null;
}
