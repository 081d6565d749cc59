import { amplifiesWrites, directIoReachesDevice, type MountedFilesystem } from '../../machine/filesystem.js';
import { MB, formatBytes, formatSeconds } from '../../text/units.js';
import { showAmount, showShare } from '../amount.js';
import { rateOf, rateUnitOf } from '../rate.js';
import type { Measurement } from '../schema/measured.js';
import { type Circumstances, isOfNames, isReading } from './circumstances.js';
import { deviceHint, namesBeyond, uncountedHint } from './hint.js';
import { type Measured, megabytes, range, rangeOf, whole } from './range.js';

/** If the device served less than this, a figure shows memory's speed. */
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

/** A file in memory is read at this share of the memory ceiling or more: there no thread waits for the slowest. */
export const MEMORY_SHARE = 0.5;

/** Of so many times the memory it cannot hold much: the default size, which is cut to whole blocks. */
const ENOUGH_MEMORIES = 1.9;

export interface WarningText {
  readonly message: string;
  readonly hint: string;
}

interface Row {
  readonly applies: (measurement: Measurement, where: Circumstances) => boolean;
  readonly tell: (measured: Measured, where: Circumstances) => WarningText;
}

/**
 * The warnings about a phase: when a measurement calls for one, and the text for the measurements of all runs that do. A new
 * one is a row here and an explanation.
 */
export const measurementWarnings = {
  'served-from-cache': {
    applies: ({ readBytes, device }, { isMemory }) =>
      !isMemory && device.share !== null && readBytes > 0 && device.share < SERVED_SHARE,
    tell: (measured, where) => ({
      message: `only ${shares(measured)} of it came from the device, memory served the rest`,
      hint: deviceHint(measured[0], where),
    }),
  },
  'device-share-unknown': {
    applies: (measurement, where) =>
      !where.isMemory && measurement.device.reason !== null && mayBeInMemory(measurement, where),
    tell: ([first], where) => ({
      message:
        `what ${isReading(first, where) ? 'the device served' : 'reached the device'} is unknown (${first.device.reason}), ` +
        `and the memory of ${formatBytes(where.memoryBytes)} can hold ${heldBy(first, where)}`,
      hint: uncountedHint(first, where),
    }),
  },
  'near-memory-speed': {
    applies: (measurement, where) =>
      !where.isMemory &&
      !bypassesMemory(where) &&
      measurement.device.reason !== null &&
      where.ceilingPerSecond !== null &&
      rateOf(measurement) >= where.ceilingPerSecond * MEMORY_SHARE,
    tell: (measured, where) => {
      const show = (rate: number) => showAmount(rate, rateUnitOf(measured[0]));
      return {
        message: `${rangeOf(measured, rateOf, show)} is close to the speed of memory (${show(where.ceilingPerSecond ?? 0)})`,
        hint: uncountedHint(measured[0], where),
      };
    },
  },
  'still-dirty': {
    applies: (measurement, where) => !where.isMemory && isStillDirty(measurement, where),
    tell: (measured, where) => {
      const reached =
        measured[0].readBytes > 0 || (measured[0].device.share ?? 1) >= REACHED_SHARE
          ? 'not all of it was durable when the clock stopped'
          : `only ${shares(measured)} of it had reached the device when the clock stopped, the rest was still in memory`;
      const durable = measured.flatMap((one) => one.durable?.bytesPerSecond ?? []);
      return {
        message:
          reached + (durable.length > 0 ? `; the durable rate is ${range(durable, megabytes)} MB/s` : ''),
        hint: deviceHint(measured[0], where),
      };
    },
  },
  cliff: {
    applies: ({ cliff }) => cliff !== null,
    tell: (measured) => {
      const cliffs = measured.flatMap(({ cliff }) => cliff ?? []);
      const rates = (of: (cliff: (typeof cliffs)[number]) => number) =>
        measured[0].primaryRate === 'bytes'
          ? `${range(cliffs.map(of), megabytes)} MB/s`
          : `${range(cliffs.map(of), whole)} a second`;
      const seconds = range(
        cliffs.map(({ atSeconds }) => atSeconds),
        formatSeconds,
      );
      return {
        message:
          `${rates((one) => one.beforePerSecond)} for ${seconds}, then ${rates((one) => one.afterPerSecond)}: ` +
          'a cache was full or a credit used up, and the figure mixes the two',
        hint: 'a larger --size or --iops-duration shows what lasts',
      };
    },
  },
  'stonewall-uneven': {
    applies: ({ stonewall }) => stonewall?.isEven === false,
    tell: (measured, { ioUnit }) => {
      const least = range(
        measured.flatMap(({ stonewall }) => stonewall?.leastSteps ?? []),
        whole,
      );
      return {
        message:
          'not all threads caught up with the furthest in as much time as before the cut: ' +
          `the slowest did ${least} ${ioUnit === 'files' ? 'files' : 'blocks'}`,
        hint: 'pass a larger --stonewall, or look for what slows down some of them',
      };
    },
  },
  suspended: {
    applies: ({ suspendedSeconds = 0 }) => suspendedSeconds > 0,
    tell: (measured) => ({
      message:
        `gobonnie was suspended for ${rangeOf(measured, (one) => one.suspendedSeconds ?? 0, formatSeconds)} ` +
        `of ${rangeOf(measured, ({ seconds }) => seconds, formatSeconds)} ` +
        '(Ctrl-Z, a paused container or VM): the figure is too low',
      hint: 'measure again, and let it run',
    }),
  },
  'device-contention': {
    applies: (measurement, where) => {
      const { seconds, device } = measurement;
      if (seconds < LEAST_SECONDS || device.readBytes === null || device.writtenBytes === null) return false;
      const othersBytes = othersBytesOf(measurement, where);
      const ownBytes = device.readBytes + (amplifiesWrites(where) ? 0 : device.writtenBytes);
      return othersBytes / seconds >= OTHERS_BYTES_PER_SECOND && othersBytes >= ownBytes * OTHERS_SHARE;
    },
    tell: (measured, where) => ({
      message: `other programs moved ${rangeOf(measured, (one) => othersBytesOf(one, where), megabytes)} MB on the same device`,
      hint: 'stop what else uses the device, and measure again',
    }),
  },
  'cpu-steal': {
    applies: ({ seconds, hostCpu }) =>
      seconds >= LEAST_SECONDS && hostCpu !== null && hostCpu.stealShare >= STOLEN_SHARE,
    tell: (measured) => ({
      message: `the hypervisor gave ${rangeOf(measured, ({ hostCpu }) => hostCpu?.stealShare ?? 0, showShare)} of the processors' time to others`,
      hint: "the figure is not the disk's alone: measure again when the host is quiet, with --runs 5 or --until-stable 5",
    }),
  },
  'cpu-saturated': {
    applies: ({ seconds, hostCpu }) =>
      seconds >= LEAST_SECONDS &&
      hostCpu !== null &&
      hostCpu.busyShare >= BUSY_SHARE &&
      hostCpu.stealShare < STOLEN_SHARE,
    tell: (measured) => ({
      message: `the processors were busy for ${rangeOf(measured, ({ hostCpu }) => hostCpu?.busyShare ?? 0, showShare)} of the time: they may be the limit, not the disk`,
      hint: 'pass a larger --block-size or --io-size, or stop what else runs',
    }),
  },
} as const satisfies Readonly<Record<string, Row>>;

type Code = keyof typeof measurementWarnings;
const ROWS = Object.entries(measurementWarnings) as readonly (readonly [Code, Row])[];

/** The warnings that the measurements of one phase call for, one measurement for each run. */
export function warningsOf(runs: readonly Measurement[], where: Circumstances) {
  return ROWS.flatMap(([code, { applies, tell }]) => {
    const [first, ...others] = runs.filter((one) => applies(one, where));
    if (!first) return [];
    const { message, hint } = tell([first, ...others], where);
    const inRuns = runs.length > 1 ? `, in ${inRunsText(others.length + 1, runs.length)}` : '';
    return [{ code, phase: first.phase, message: `${first.title}: ${message}${inRuns}`, hint }];
  });
}

function inRunsText(count: number, all: number): string {
  return count === all ? `all ${all} runs` : `${count} of ${all} runs`;
}

function isStillDirty(measurement: Measurement, { isDirect, isSynced }: Circumstances): boolean {
  const { readBytes, writtenBytes, device, durable, bytesPerSecond } = measurement;
  if (writtenBytes === 0) return false;
  // If it reads as well, the share is that of the reads.
  const reachedShare = readBytes > 0 ? 1 : device.share;
  if (reachedShare !== null && reachedShare < REACHED_SHARE) return true;
  if (durable === null || isSynced) return false;
  if (reachedShare === null) return durable.bytesPerSecond < bytesPerSecond * SERVED_SHARE;
  // The host's count of dirty bytes is too low if what others had written reached the device meanwhile.
  return !isDirect && durable.bytesPerSecond < bytesPerSecond * REACHED_SHARE;
}

/** Whether reads may have come from memory, or what was changed ended without a sync, in its time or after it. */
function mayBeInMemory(measurement: Measurement, where: Circumstances): boolean {
  const { isSynced, dataBytes, memoryBytes } = where;
  if (isOfNames(measurement, where)) return measurement.operations < namesBeyond(memoryBytes);
  if (dataBytes >= ENOUGH_MEMORIES * memoryBytes) return false;
  if (isReading(measurement, where)) return !bypassesMemory(where);
  return measurement.writtenBytes > 0 && measurement.durable === null && !isSynced;
}

/** Whether direct I/O bypassed all memory that could serve it. */
function bypassesMemory(where: Circumstances): boolean {
  return where.isDirect && directIoReachesDevice(where);
}

function heldBy(measurement: Measurement, where: Circumstances): string {
  if (isOfNames(measurement, where)) return 'the names';
  return where.dataBytes > where.memoryBytes ? 'much of the data' : 'the data';
}

/** What a filesystem that amplifies writes adds to them looks like what others write. */
function othersBytesOf({ otherIo }: Measurement, where: MountedFilesystem): number {
  return (otherIo?.readBytes ?? 0) + (amplifiesWrites(where) ? 0 : (otherIo?.writtenBytes ?? 0));
}

function shares(measured: Measured): string {
  return rangeOf(measured, ({ device }) => device.share ?? 0, showShare);
}
