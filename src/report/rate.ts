import { phases } from '../../workers/phases/phase-catalogue.js';
import type { IoLimit, Target } from '../machine/machine-schema.js';
import { display } from '../text/escape.js';
import { formatDeviceShare, type RateUnit } from './amount.js';
import type { Measurement, MemoryCeiling, Report } from './schema/report.js';
import { computeMedian } from './statistics/statistics.js';

/** A measured rate in both units. */
type Rates<Rate> = Readonly<Record<RateUnit, Rate>>;
/** Null if unknown. */
export type RatePair = Rates<number | null>;
type HasPrimaryRate = Pick<Measurement, 'primaryRate'>;

export type TargetKind = Pick<Report['target'], 'isMemory'>;

export function primaryRateOf<Rate extends number | null>(rates: Rates<Rate> & HasPrimaryRate): Rate {
  return rates[primaryRateUnit(rates)];
}

export function primaryRateUnit({ primaryRate }: HasPrimaryRate): RateUnit {
  return primaryRate === 'bytes' ? 'bytesPerSecond' : 'operationsPerSecond';
}

/** If the device served less than this, the result shows the page cache's speed. */
export const SERVED_SHARE = 0.9;

/** True if the device served nearly all of the phase. False for an unknown share. */
export function isServedByDevice(deviceShare: number | null): boolean {
  return deviceShare !== null && deviceShare >= SERVED_SHARE;
}

/** True if the rate includes the page cache by definition, like the tool that the phase models. */
export function includesCache(phaseName: string): boolean {
  const phase = phases.find(({ name }) => name === phaseName);
  return phase?.ioUnit === 'tool-calls' && !phase.coldCache && phase.duration === undefined;
}

/** Returns the device's share of a result as text, empty if the result includes the page cache by definition. */
export function deviceShareText({ phase, device }: Pick<Measurement, 'phase' | 'device'>): string {
  return includesCache(phase) ? '' : formatDeviceShare(device.share);
}

/** Returns a step's rate on cached data. Null if unknown. */
export function findMemoryCeiling(step: string, ceilings: MemoryCeiling | null | undefined): number | null {
  return ceilings?.find((one) => one.step === step)?.perSecond ?? null;
}

export type MountInfo = Pick<Target, 'directory' | 'filesystem' | 'device'>;

/** `/mnt/z is in memory (ext4 on /dev/zram0)`. */
export function describeInMemory({ directory, filesystem, device }: MountInfo): string {
  // Filesystems without a device, such as tmpfs, name themselves as the device.
  const on = device?.startsWith('/dev/') ? ` on ${display(device)}` : '';
  return `${display(directory)} is in memory (${filesystem}${on})`;
}

const LIMIT_TOLERANCE = 0.1;
/** The kernel grants the operations of this time at once, so a short measurement may differ from the limit by as much. */
const SLICE_SECONDS = 0.1;

export interface Load {
  /** The share of the operations that read, from 0 to 1. */
  readonly readShare: number;
  readonly minSeconds: number;
}

/** True if rates reach the limit of a control group, and usually do not exceed it. */
export function isAtLimit(
  measured: readonly RatePair[],
  { direction, unit, perSecond }: IoLimit,
  { readShare, minSeconds }: Load,
): boolean {
  const share = direction === 'read' ? readShare : 1 - readShare;
  const rates = knownRates(measured, unit).map((rate) => rate * share);
  const sliceShare = SLICE_SECONDS / minSeconds;
  const high = rates.filter((rate) => rate >= perSecond * (1 - Math.max(LIMIT_TOLERANCE, sliceShare)));
  const maxRate = perSecond * (1 + sliceShare);
  return computeMedian(high) <= maxRate * (1 + LIMIT_TOLERANCE);
}

export function knownRates(measured: readonly RatePair[], unit: IoLimit['unit']): readonly number[] {
  return measured.map((one) => one[`${unit}PerSecond` as const]).filter((rate) => rate !== null);
}
