import { NS_PER_SECOND } from '../text/units.js';
import type { SweepPoint } from './point.js';

/** With fewer operations in flight than this share of the threads, threads wait elsewhere. */
const MIN_SHARE = 0.9;

export const WAIT_REASONS = ['cpu', 'quota', 'outside-io'] as const;

/** Returns rate x mean latency, and what the other threads wait for. Null if unknown or if none wait. */
export function countInFlight(
  { threads, operationsPerSecond, meanNs, limitedBy }: SweepPoint,
  hasQuota: boolean,
): { readonly inFlight: number | null; readonly waitReason: (typeof WAIT_REASONS)[number] | null } {
  if (meanNs === null) return { inFlight: null, waitReason: null };
  const inFlight = (operationsPerSecond * meanNs) / NS_PER_SECOND;
  if (inFlight >= threads * MIN_SHARE) return { inFlight, waitReason: null };
  return { inFlight, waitReason: limitedBy ?? (hasQuota ? 'quota' : 'outside-io') };
}
