import { optionError } from '../errors.js';
import { parseAmount } from '../report/amount.js';
import { minMax } from '../report/statistics/statistics.js';
import { flag, msg } from '../text/message-template.js';
import type { SweepPoint } from './point.js';

/** The knee has at least this share of the best rate. */
const KNEE_SHARE = 0.95;

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
