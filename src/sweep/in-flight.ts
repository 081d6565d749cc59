import { NS_PER_SECOND } from '../text/units.js';
import type { SweepPoint } from './point.js';

/** With fewer operations in flight than this share of the threads, threads wait elsewhere. */
const MIN_SHARE = 0.9;

export interface InFlight {
  /** Rate x mean latency. Null if the latency is unknown. */
  readonly inFlight: number | null;
  /** What threads without an operation in flight wait for. */
  readonly waitReason: 'cpu' | 'quota' | 'outside-io' | null;
}

/** Counts the threads with an operation in flight, and finds what the others wait for. */
export function countInFlight(
  { threads, operationsPerSecond, meanNs, limitedBy }: SweepPoint,
  hasQuota: boolean,
): InFlight {
  if (meanNs === null) return { inFlight: null, waitReason: null };
  const inFlight = (operationsPerSecond * meanNs) / NS_PER_SECOND;
  if (inFlight >= threads * MIN_SHARE) return { inFlight, waitReason: null };
  return { inFlight, waitReason: limitedBy ?? (hasQuota ? 'quota' : 'outside-io') };
}
