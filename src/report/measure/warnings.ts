import type { Phase } from '../../../workers/phases/phase.js';
import { amplifiesWrites, type MountedFilesystem } from '../../machine/filesystem.js';
import { MB } from '../../text/units.js';
import type { Measurement, Warning } from '../schema/report.js';
import { warningOf } from '../warning-catalogue.js';

/** Reads of which the device served less show memory's speed. */
export const SERVED_SHARE = 0.9;
/** When less than this has reached the device, most of what was written is still in memory. */
export const REACHED_SHARE = 0.5;
/** The kernel counts processor time in hundredths of a second: a shorter phase says little. */
export const LEAST_SECONDS = 0.5;
export const BUSY_SHARE = 0.95;
export const STOLEN_SHARE = 0.05;
/** What the filesystem does for itself (its journal, its maps) is less. */
export const OTHERS_SHARE = 0.1;
export const OTHERS_BYTES_PER_SECOND = 4 * MB;

/** Where and how it was measured. */
export interface Circumstances extends MountedFilesystem {
  readonly isMemory: boolean;
  /** What one operation moved, and whether past the page cache. */
  readonly moves: Phase['moves'];
  readonly isDirect: boolean;
}

/** What the reader of a measurement should know. */
export function warningsOf(measurement: Measurement, where: Circumstances): readonly Warning[] {
  const isLong = measurement.seconds >= LEAST_SECONDS;
  const found = [
    // A filesystem in memory was warned of before.
    where.isMemory ? null : ofDevice(measurement, where),
    ofCliff(measurement),
    ofSuspension(measurement),
    isLong ? ofOthers(measurement, where) : null,
    isLong ? ofHost(measurement) : null,
  ];
  return found.filter((warning) => warning !== null);
}

function ofDevice(measurement: Measurement, { isDirect, moves }: Circumstances): Warning | null {
  const { phase, readBytes, writtenBytes, device } = measurement;
  if (device.share === null) return null;
  if (readBytes > 0 && device.share < SERVED_SHARE)
    return warningOf('memory-served', { ...measurement, isDirect, moves }, phase);
  if (readBytes === 0 && writtenBytes > 0 && device.share < REACHED_SHARE)
    return warningOf('still-dirty', { ...measurement, isDirect, moves }, phase);
  return null;
}

function ofCliff({ phase, title, figure, cliff }: Measurement): Warning | null {
  return cliff && warningOf('cliff', { title, figure, cliff }, phase);
}

function ofSuspension({ phase, title, seconds, suspendedSeconds }: Measurement): Warning | null {
  return suspendedSeconds ? warningOf('suspended', { title, seconds, suspendedSeconds }, phase) : null;
}

function ofOthers(measurement: Measurement, where: Circumstances): Warning | null {
  const { phase, title, seconds, device, others } = measurement;
  if (!others || device.readBytes === null || device.writtenBytes === null) return null;
  // What a filesystem writes for itself cannot be told from what others write.
  const isReadsOnly = amplifiesWrites(where);
  const ownBytes = device.readBytes + (isReadsOnly ? 0 : device.writtenBytes);
  const othersBytes = others.readBytes + (isReadsOnly ? 0 : others.writtenBytes);
  if (othersBytes / seconds < OTHERS_BYTES_PER_SECOND || othersBytes < ownBytes * OTHERS_SHARE) return null;
  return warningOf('others-busy', { title, othersBytes }, phase);
}

function ofHost({ phase, title, host }: Measurement): Warning | null {
  if (!host) return null;
  const { stealShare, busyShare } = host;
  if (stealShare >= STOLEN_SHARE) return warningOf('cpu-stolen', { title, stealShare }, phase);
  return busyShare >= BUSY_SHARE ? warningOf('cpu-saturated', { title, busyShare }, phase) : null;
}
