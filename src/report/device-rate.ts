import { SERVED_SHARE } from './measure/measurement-warnings.js';
import { primaryRateOf } from './rate.js';

import type { Measurement, Report } from './schema/report.js';

/** True if the device served the phase. */
export function isServedByDevice(deviceShare: number | null): boolean {
  return deviceShare !== null && deviceShare >= SERVED_SHARE;
}

/**
 * The disk's own rate: of a write until all of it was on the device, of the others the timed rate if the device served
 * them. Null if it is unknown.
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
