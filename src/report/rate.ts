import type { MetricUnit } from './amount.js';
import type { Measurement, Report } from './schema/report.js';

interface Rates<Rate> {
  readonly primaryRate: 'bytes' | 'operations';
  readonly bytesPerSecond: Rate;
  readonly operationsPerSecond: Rate;
}

export function primaryRateOf<Rate extends number | null>(rates: Rates<Rate>): Rate {
  return rates[primaryRateUnit(rates)];
}

export function primaryRateUnit({ primaryRate }: Pick<Rates<null>, 'primaryRate'>) {
  return (primaryRate === 'bytes' ? 'bytesPerSecond' : 'operationsPerSecond') satisfies MetricUnit;
}

/** If the device served less than this, the result shows the page cache's speed. */
export const SERVED_SHARE = 0.9;

/** True if the device served nearly all of the phase. False for an unknown share. */
export function isServedByDevice(deviceShare: number | null): boolean {
  return deviceShare !== null && deviceShare >= SERVED_SHARE;
}

/**
 * Returns the disk's own rate: for writes the durable rate if known, otherwise the timed rate if the device served the
 * phase. Null if the page cache served too much of it or the share is unknown.
 */
export function deviceRate(
  measurement: Measurement,
  { isMemory }: Pick<Report['target'], 'isMemory'>,
): number | null {
  const { readBytes, durable, device } = measurement;
  const isDeviceRate = isServedByDevice(device.share);
  if (durable && !isMemory && (readBytes === 0 || isDeviceRate)) return durable.bytesPerSecond;
  return isDeviceRate ? primaryRateOf(measurement) : null;
}
