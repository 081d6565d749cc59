import type { Phase } from '../../../workers/phases/phase.js';
import { amplifiesWrites, type MountedFilesystem } from '../../machine/filesystem.js';
import { MB, showSeconds } from '../../text/units.js';
import type { Measurement, Warning } from '../schema/report.js';

/** Under it a figure is more than a little memory's. */
export const SERVED_SHARE = 0.9;
/** Under it most of what was written still waited in memory. */
export const REACHED_SHARE = 0.5;
/** The kernel counts processor time in hundredths of a second: less than this says little. */
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
  readonly direct: boolean;
}

/** What a warning is about. Several runs say the same of it. */
export function subjectOfWarning({ code, phase }: Warning): string {
  return `${code} ${phase ?? ''}`;
}

/** What a measurement says of itself that its reader should know. */
export function warningsOf(measurement: Measurement, where: Circumstances): readonly Warning[] {
  const isLong = measurement.seconds >= LEAST_SECONDS;
  const found = [
    // That everything is memory's was said before.
    where.isMemory ? null : ofDevice(measurement, where),
    ofCliff(measurement),
    ofStandstill(measurement),
    isLong ? ofOthers(measurement, where) : null,
    isLong ? ofHost(measurement) : null,
  ];
  return found.flatMap((warning) => (warning ? [{ ...warning, phase: measurement.phase }] : []));
}

type Finding = Pick<Warning, 'code' | 'message' | 'hint'> | null;

/** What to do when --direct was done already. */
const STILL_BUFFERED =
  'this filesystem takes --direct (O_DIRECT) and still buffers: measure another directory';

const EMPTIES = '--cache auto empties the page cache where it can, as root most thoroughly';
/** What to do so that reads come from the device. */
const READ_COLDER: Readonly<Record<Phase['moves'], string>> = {
  blocks: `pass --direct or a larger --size; ${EMPTIES}`,
  pieces: `pass --direct or a larger --size; ${EMPTIES}`,
  bytes: `pass a larger --size; ${EMPTIES}`,
  files: 'they were made a moment before; pass more --files or a larger --file-size than memory holds',
};
/** And so that writes go there. */
const WRITE_THROUGH: Readonly<Record<Phase['moves'], string>> = {
  blocks: 'pass --fsync, --direct or a larger --size',
  pieces: 'pass --fsync, --direct or a larger --size',
  bytes: 'pass --fsync or a larger --size',
  files: 'pass --sync-writes',
};

function ofDevice(
  { title, readBytes, writtenBytes, device, durable }: Measurement,
  { direct, moves }: Circumstances,
): Finding {
  const { share } = device;
  if (share === null) return null;
  if (readBytes > 0 && share < SERVED_SHARE) {
    return {
      code: 'memory-served',
      message: `${title}: only ${percent(share)} of it came from the device, memory served the rest`,
      hint: direct ? STILL_BUFFERED : READ_COLDER[moves],
    };
  }
  if (readBytes === 0 && writtenBytes > 0 && share < REACHED_SHARE) {
    return {
      code: 'still-dirty',
      message:
        `${title}: only ${percent(share)} of it had reached the device when the clock stopped, the rest was still in memory` +
        (durable ? `; until all of it was there, it was ${megabytes(durable.bytesPerSecond)} MB/s` : ''),
      hint: direct ? STILL_BUFFERED : WRITE_THROUGH[moves],
    };
  }
  return null;
}

function ofCliff({ title, figure, cliff }: Measurement): Finding {
  if (!cliff) return null;
  const shown = (rate: number) =>
    figure === 'bytes' ? `${megabytes(rate)} MB/s` : `${rate.toFixed(0)} a second`;
  return {
    code: 'cliff',
    message:
      `${title}: ${shown(cliff.beforePerSecond)} for ${showSeconds(cliff.atSeconds)}, then ` +
      `${shown(cliff.afterPerSecond)}: a cache was full or a credit used up, and the figure mixes the two`,
    hint: 'a larger --size or --iops-duration shows what lasts',
  };
}

function ofStandstill({ title, seconds, standstillSeconds }: Measurement): Finding {
  if (!standstillSeconds) return null;
  return {
    code: 'stood-still',
    message: `${title}: for ${showSeconds(standstillSeconds)} of ${showSeconds(seconds)} the program itself stood still: it was stopped, or its container or machine; the figure is too low`,
    hint: 'measure again, and let it run',
  };
}

function ofOthers({ title, seconds, device, others }: Measurement, where: Circumstances): Finding {
  if (!others || device.readBytes === null || device.writtenBytes === null) return null;
  // What a filesystem writes for itself cannot be told from what others write.
  const counted = amplifiesWrites(where)
    ? { ownBytes: device.readBytes, othersBytes: others.readBytes }
    : {
        ownBytes: device.readBytes + device.writtenBytes,
        othersBytes: others.readBytes + others.writtenBytes,
      };
  const { ownBytes, othersBytes } = counted;
  if (othersBytes / seconds < OTHERS_BYTES_PER_SECOND || othersBytes < ownBytes * OTHERS_SHARE) return null;
  return {
    code: 'others-busy',
    message: `${title}: others moved ${megabytes(othersBytes)} MB on the same device meanwhile`,
    hint: 'stop what else uses the device, and measure again',
  };
}

function ofHost({ title, host }: Measurement): Finding {
  if (!host) return null;
  if (host.stealShare >= STOLEN_SHARE) {
    return {
      code: 'cpu-stolen',
      message: `${title}: the hypervisor gave ${percent(host.stealShare)} of the processors' time to others`,
      hint: "the figure is not the disk's alone: measure again when the host is quiet, with --runs 5 or --until-stable 5",
    };
  }
  if (host.busyShare >= BUSY_SHARE) {
    return {
      code: 'cpu-saturated',
      message: `${title}: the processors were busy for ${percent(host.busyShare)} of the time: the figure may be theirs and not the disk's`,
      hint: 'pass a larger --block-size or --io-size, or stop what else runs',
    };
  }
  return null;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function megabytes(bytes: number): string {
  return (bytes / MB).toFixed(0);
}
