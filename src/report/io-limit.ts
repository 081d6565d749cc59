import type { IoLimit } from '../machine/machine-schema.js';
import { computeMedian } from './statistics/irregularity.js';

const TOLERANCE = 0.1;
/** The kernel grants the operations of this time at once, so a short measurement exceeds the limit. */
const SLICE_SECONDS = 0.1;

/** A measured rate in both units. Null if unknown. */
export interface Rates {
  readonly operationsPerSecond: number | null;
  readonly bytesPerSecond: number | null;
}

export interface Load {
  /** The share of the operations that read, from 0 to 1. */
  readonly readShare: number;
  readonly minSeconds: number;
}

/** True if rates reach the limit of a control group, and usually do not exceed it. */
export function isAtLimit(
  measured: readonly Rates[],
  { direction, unit, perSecond }: IoLimit,
  { readShare, minSeconds }: Load,
): boolean {
  const share = direction === 'read' ? readShare : 1 - readShare;
  const rates = knownRates(measured, unit).map((rate) => rate * share);
  const high = rates.filter((rate) => rate >= perSecond * (1 - TOLERANCE));
  const maxRate = perSecond * (1 + SLICE_SECONDS / minSeconds);
  return computeMedian(high) <= maxRate * (1 + TOLERANCE);
}

export function knownRates(measured: readonly Rates[], unit: IoLimit['unit']): readonly number[] {
  return measured.map((one) => one[`${unit}PerSecond` as const]).filter((rate) => rate !== null);
}
