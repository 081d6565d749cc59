import type { Phase } from '../../../workers/phases/phase.js';
import { amplifiesWrites, type MountedFilesystem } from '../../machine/filesystem.js';
import { MB, showSeconds } from '../../text/units.js';
import type { Measurement } from '../schema/measured.js';

/** If the device served less of the reads, the figure shows memory's speed. */
export const SERVED_SHARE = 0.9;
/** When less than this has reached the device, most of what was written is still in memory. */
export const REACHED_SHARE = 0.5;
/** The kernel counts processor time in hundredths of a second, too coarse for a shorter phase. */
export const LEAST_SECONDS = 0.5;
export const BUSY_SHARE = 0.95;
export const STOLEN_SHARE = 0.05;
/** More than a filesystem's own journal and metadata take. */
export const OTHERS_SHARE = 0.1;
export const OTHERS_BYTES_PER_SECOND = 4 * MB;

/** Where and how a phase was measured. */
export interface Circumstances extends MountedFilesystem {
  readonly isMemory: boolean;
  readonly moves: Phase['moves'];
  readonly isDirect: boolean;
}

export interface WarningText {
  readonly message: string;
  readonly hint: string;
}

type Moves = Phase['moves'];
/** Null if the measurement gives no reason for the warning. */
type Find = (measurement: Measurement, where: Circumstances) => WarningText | null;

const STILL_BUFFERED =
  'this filesystem takes --direct (O_DIRECT) and still buffers: measure another directory';
const EMPTIES = '--cache auto empties the page cache if it can, best as root';
const READ_FROM_DEVICE: Readonly<Record<Moves, string>> = {
  blocks: `pass --direct or a larger --size; ${EMPTIES}`,
  pieces: `pass --direct or a larger --size; ${EMPTIES}`,
  bytes: `pass a larger --size; ${EMPTIES}`,
  files: 'they were made a moment before; pass more --files or a larger --file-size than memory holds',
};
const WRITE_TO_DEVICE: Readonly<Record<Moves, string>> = {
  blocks: 'pass --fsync, --direct or a larger --size',
  pieces: 'pass --fsync, --direct or a larger --size',
  bytes: 'pass --fsync or a larger --size',
  files: 'pass --sync-writes',
};

/** The warnings about a measurement: when they apply, and what they say. A new one is a row here and an explanation. */
export const measurementWarnings = {
  'memory-served': ({ title, readBytes, device }, { isMemory, isDirect, moves }) => {
    if (isMemory || device.share === null || readBytes === 0 || device.share >= SERVED_SHARE) return null;
    return {
      message: `${title}: only ${percent(device.share)} of it came from the device, memory served the rest`,
      hint: isDirect ? STILL_BUFFERED : READ_FROM_DEVICE[moves],
    };
  },
  'still-dirty': (measurement, { isMemory, isDirect, moves }) => {
    const { title, readBytes, writtenBytes, device, durable } = measurement;
    if (isMemory || device.share === null || device.share >= REACHED_SHARE) return null;
    if (readBytes > 0 || writtenBytes === 0) return null;
    return {
      message:
        `${title}: only ${percent(device.share)} of it had reached the device when the clock stopped, the rest was still in memory` +
        (durable ? `; the durable rate is ${megabytes(durable.bytesPerSecond)} MB/s` : ''),
      hint: isDirect ? STILL_BUFFERED : WRITE_TO_DEVICE[moves],
    };
  },
  cliff: ({ title, figure, cliff }) => {
    if (!cliff) return null;
    const rate = (perSecond: number) =>
      figure === 'bytes' ? `${megabytes(perSecond)} MB/s` : `${perSecond.toFixed(0)} a second`;
    return {
      message:
        `${title}: ${rate(cliff.beforePerSecond)} for ${showSeconds(cliff.atSeconds)}, then ${rate(cliff.afterPerSecond)}: ` +
        'a cache was full or a credit used up, and the figure mixes the two',
      hint: 'a larger --size or --iops-duration shows what lasts',
    };
  },
  suspended: ({ title, seconds, suspendedSeconds }) => {
    if (!suspendedSeconds) return null;
    return {
      message:
        `${title}: gobonnie was suspended for ${showSeconds(suspendedSeconds)} of ${showSeconds(seconds)} ` +
        '(Ctrl-Z, a paused container or VM): the figure is too low',
      hint: 'measure again, and let it run',
    };
  },
  'others-busy': ({ title, seconds, device, others }, where) => {
    if (seconds < LEAST_SECONDS || !others) return null;
    if (device.readBytes === null || device.writtenBytes === null) return null;
    // What such a filesystem writes of its own looks like what others write.
    const isReadsOnly = amplifiesWrites(where);
    const ownBytes = device.readBytes + (isReadsOnly ? 0 : device.writtenBytes);
    const othersBytes = others.readBytes + (isReadsOnly ? 0 : others.writtenBytes);
    if (othersBytes / seconds < OTHERS_BYTES_PER_SECOND || othersBytes < ownBytes * OTHERS_SHARE) return null;
    return {
      message: `${title}: other programs moved ${megabytes(othersBytes)} MB on the same device`,
      hint: 'stop what else uses the device, and measure again',
    };
  },
  'cpu-stolen': ({ title, seconds, host }) => {
    if (seconds < LEAST_SECONDS || !host || host.stealShare < STOLEN_SHARE) return null;
    return {
      message: `${title}: the hypervisor gave ${percent(host.stealShare)} of the processors' time to others`,
      hint: "the figure is not the disk's alone: measure again when the host is quiet, with --runs 5 or --until-stable 5",
    };
  },
  'cpu-saturated': ({ title, seconds, host }) => {
    if (seconds < LEAST_SECONDS || !host || host.busyShare < BUSY_SHARE) return null;
    if (host.stealShare >= STOLEN_SHARE) return null;
    return {
      message: `${title}: the processors were busy for ${percent(host.busyShare)} of the time: they may be the limit, not the disk`,
      hint: 'pass a larger --block-size or --io-size, or stop what else runs',
    };
  },
} as const satisfies Readonly<Record<string, Find>>;

type Code = keyof typeof measurementWarnings;
const ROWS = Object.entries(measurementWarnings) as readonly (readonly [Code, Find])[];

export function warningsOf(measurement: Measurement, where: Circumstances) {
  return ROWS.flatMap(([code, find]) => {
    const text = find(measurement, where);
    return text ? [{ code, phase: measurement.phase, ...text }] : [];
  });
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function megabytes(bytes: number): string {
  return (bytes / MB).toFixed(0);
}
