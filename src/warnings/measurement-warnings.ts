import { amplifiesWrites, canCompress } from '../machine/filesystem.js';
import { formatAmount, formatShare } from '../report/amount.js';
import { primaryRateOf, primaryRateUnit, SERVED_SHARE } from '../report/rate.js';
import type { Measurement } from '../report/schema/measurement-schema.js';
import { minMax } from '../report/statistics/statistics.js';
import { formatNs, formatSeconds, MB, NS_PER_MS, NS_PER_US } from '../text/units.js';
import { howToReachDevice, isOfExistingFiles } from './hint.js';
import type { MeasurementContext } from './measurement-context.js';

/** The kernel counts CPU time in hundredths of a second, too coarse for a shorter phase. */
export const MIN_PHASE_SECONDS = 0.5;
export const BUSY_SHARE = 0.95;
export const STEAL_SHARE = 0.05;
/** More than a filesystem's own journal and metadata need. */
export const OTHER_IO_SHARE = 0.1;
export const OTHER_IO_BYTES_PER_SECOND = 4 * MB;

/** Cached data reads at least this fast relative to the memory ceiling, which does not wait for the slowest thread. */
export const MEMORY_CEILING_SHARE = 0.5;

/** In these phases an operation makes a single sync, apart from checkpoints. */
const SINGLE_SYNC_PHASES: readonly string[] = ['commit-wal', 'commit-etcd', 'commit-etcd-overwrite'];
/** A disk with another transport may be virtual, and report a hard disk without being one. */
const PHYSICAL_TRANSPORTS: readonly unknown[] = ['sata', 'usb'];
const NO_BARRIER_OPTIONS = ['nobarrier', 'barrier=0'] as const;
/** A hard disk waits for its platter, which takes 4 ms on average at 7,200 revolutions a minute. */
export const MIN_HARD_DISK_SYNC_NS = NS_PER_MS;
/** The write and the flush that follows it are two commands, of which each takes about 10 µs without any work. */
export const MIN_FLUSH_NS = 20 * NS_PER_US;

type MeasurementList = readonly [first: Measurement, ...others: Measurement[]];

/** Returns how a measurement was made. Those of one message may be of several steps. */
type ContextFinder = (measurement: Measurement) => MeasurementContext;

/** When a warning applies to a measurement, and its text for the measurements of the affected runs. */
interface WarningRule {
  readonly applies: (measurement: Measurement, context: MeasurementContext) => boolean;
  readonly message: (measurements: MeasurementList, getContext: ContextFinder) => string;
  /** The message for several steps, whose rates have no range in common; by default `message`. */
  readonly messageOfSteps?: (measurement: Measurement) => string;
  readonly hint: string | ((measurement: Measurement, context: MeasurementContext) => string);
}

/** The warnings about a phase. A new warning needs a row here and an explanation. */
export const measurementWarnings: Readonly<Record<string, WarningRule>> = {
  'served-from-cache': {
    applies: (measurement, context) =>
      measurement.readBytes > 0 &&
      !mayBeDirty(measurement, context) &&
      isPartlyServed(measurement, context) &&
      !isOfExistingFiles(measurement),
    message: (measurements, getContext) =>
      `only ${formatDeviceShares(measurements)} was read from the device; the rest ${canCompress(getContext(measurements[0])) ? 'was compressed or ' : ''}came from the page cache`,
    hint: howToReachDevice,
  },
  'device-share-unknown': {
    applies: (measurement, { isMemory }) =>
      !isMemory && measurement.device.reason !== null && !isOfExistingFiles(measurement),
    message: (measurements, getContext) => {
      const [first] = measurements;
      const { ceilingPerSecond: ceiling } = getContext(first);
      const show = (rate: number) => formatAmount(rate, primaryRateUnit(first));
      const isNearCeiling = ceiling !== null && primaryRateOf(first) >= ceiling * MEMORY_CEILING_SHARE;
      const speed = isNearCeiling ? `, close to the page cache's speed (${show(ceiling)})` : '';
      return `${formatRange(measurements, primaryRateOf, show)} as timed${speed}; the device's share of it is unknown (${first.device.reason})`;
    },
    messageOfSteps: ({ device }) => `the device's share of these rates is unknown (${device.reason})`,
    hint: howToReachDevice,
  },
  'still-dirty': {
    applies: (measurement, context) =>
      mayBeDirty(measurement, context) && isPartlyServed(measurement, context),
    message: (measurements, getContext) =>
      `only ${formatDeviceShares(measurements)} had reached the device when the clock stopped (the rest ${canCompress(getContext(measurements[0])) ? 'was compressed or ' : ''}reached only the page cache)`,
    hint: howToReachDevice,
  },
  'sync-too-fast': {
    applies: (measurement, context) => whySyncIsTooFast(measurement, context) !== null,
    message: (measurements, getContext) =>
      `a sync takes only ${formatRange(measurements, ({ latencyNs }) => latencyNs?.p50 ?? 0, formatNs)}: ${whySyncIsTooFast(measurements[0], getContext(measurements[0]))}, so a power failure may lose commits`,
    hint: 'turn off the volatile write cache, or mount the filesystem with barriers',
  },
  cliff: {
    // The cliff of a filled disk is the result, not an obstacle.
    applies: ({ cliff, phase }) => cliff !== null && phase !== 'fill',
    message: (measurements) => {
      const cliffs = measurements.map(({ cliff }) => cliff).filter((cliff) => cliff !== null);
      const formatRate = (rate: number) => formatAmount(rate, primaryRateUnit(measurements[0]));
      const before = formatRange(cliffs, (one) => one.beforePerSecond, formatRate);
      const after = formatRange(cliffs, (one) => one.afterPerSecond, formatRate);
      const seconds = formatRange(cliffs, (one) => one.atSeconds, formatSeconds);
      return `${before} for ${seconds}, then ${after}: perhaps a cache filled up, burst credits ran out or other programs used the device; the result averages both`;
    },
    messageOfSteps: () =>
      'the rate fell during the step: perhaps a cache filled up, burst credits ran out or other programs used the device; the results average both',
    // The steps of load and the phases of dev have a fixed length.
    hint: (_, { isListed, ioUnit }) =>
      isListed || ioUnit === 'tool-calls'
        ? 'run again: if the rate falls again, a cache or burst credits of the disk run out'
        : 'measure more data, or for longer, to see the sustained rate',
  },
  suspended: {
    applies: ({ suspendedSeconds = 0 }) => suspendedSeconds > 0,
    message: (measurements) =>
      `gobonnie did not run for ${formatRange(measurements, (one) => one.suspendedSeconds ?? 0, formatSeconds)} ` +
      `of ${formatRange(measurements, ({ seconds }) => seconds, formatSeconds)} ` +
      '(Ctrl-Z, a paused container or VM, or a very busy machine): the result is too low',
    hint: 'run it again, without suspending it, when the machine is less busy',
  },
  'device-contention': {
    applies: (measurement, context) => {
      const { seconds, device } = measurement;
      if (seconds < MIN_PHASE_SECONDS || device.readBytes === null || device.writtenBytes === null)
        return false;
      const otherBytes = countOtherBytes(measurement, context);
      const ownBytes = device.readBytes + (amplifiesWrites(context) ? 0 : device.writtenBytes);
      return otherBytes / seconds >= OTHER_IO_BYTES_PER_SECOND && otherBytes >= ownBytes * OTHER_IO_SHARE;
    },
    message: (measurements, getContext) =>
      `other programs used this device (${formatRange(measurements, (one) => countOtherBytes(one, getContext(one)), formatMegabytes)} MB)`,
    hint: 'stop the other programs and run again',
  },
  'cpu-steal': {
    applies: ({ seconds, hostCpu }) =>
      seconds >= MIN_PHASE_SECONDS && hostCpu !== null && hostCpu.stealShare >= STEAL_SHARE,
    message: (measurements) =>
      `the hypervisor stole ${formatRange(measurements, ({ hostCpu }) => hostCpu?.stealShare ?? 0, formatShare)} of the CPU time`,
    hint: 'run again when the host is idle',
  },
  'cpu-saturated': {
    // The result of a tool includes its CPU time.
    applies: ({ seconds, hostCpu }, { ioUnit }) =>
      ioUnit !== 'tool-calls' &&
      seconds >= MIN_PHASE_SECONDS &&
      hostCpu !== null &&
      hostCpu.busyShare >= BUSY_SHARE &&
      hostCpu.stealShare < STEAL_SHARE,
    message: (measurements, getContext) => {
      const busy = formatRange(measurements, ({ hostCpu }) => hostCpu?.busyShare ?? 0, formatShare);
      const own = formatShare(minMax(measurements.map((one) => ownCpuShare(one, getContext(one)))).max);
      const limited = measurements.filter((one) => !areOthersBusy(one, getContext(one)));
      const names = [...new Set(limited.map(({ title }) => title))].join(', ');
      const where = limited.length === measurements.length ? '' : ` in ${names}`;
      const effects = [
        limited.length < measurements.length && 'other programs may have slowed the results',
        limited.length > 0 && `the CPU may be the bottleneck${where}, not the disk`,
      ].filter(Boolean);
      return `the CPUs were ${busy} busy, gobonnie itself used at most ${own}: ${effects.join('; ')}`;
    },
    hint: (measurement, context) =>
      context.isListed || areOthersBusy(measurement, context)
        ? 'stop other programs and run again'
        : 'stop other programs; larger blocks or fewer threads need less of the CPU',
  },
};

/** True if gobonnie itself used less than half of the CPU time. */
function areOthersBusy(measurement: Measurement, context: MeasurementContext): boolean {
  return ownCpuShare(measurement, context) < (measurement.hostCpu?.busyShare ?? 0) / 2;
}

/** The share of all CPUs that gobonnie used. */
function ownCpuShare({ cpu }: Measurement, { cores }: MeasurementContext): number {
  return Math.min(1, cpu.percent / 100 / cores);
}

/** Returns the warnings that apply to one phase, given its measurement in each run. */
export function findMeasurementWarnings(runs: readonly Measurement[], context: MeasurementContext) {
  return Object.entries(measurementWarnings).flatMap(([code, { applies, message, hint }]) => {
    const [first, ...others] = runs.filter((one) => applies(one, context));
    if (!first) return [];
    const count = others.length + 1;
    const affected = count === runs.length ? `all ${count} runs` : `${count} of ${runs.length} runs`;
    const inRuns = runs.length > 1 ? `, in ${affected}` : '';
    return [
      {
        code,
        step: first.step,
        message: message([first, ...others], () => context) + inRuns,
        hint: typeof hint === 'string' ? hint : hint(first, context),
      },
    ];
  });
}

/** True if less than nearly all of the data came from the device or had reached it. False if unknown. */
function isPartlyServed({ device }: Measurement, { isMemory }: MeasurementContext): boolean {
  return !isMemory && device.share !== null && device.share < SERVED_SHARE;
}

/** True if written data may have been in the cache when the clock stopped. The share of a random phase covers only its reads. */
function mayBeDirty(measurement: Measurement, { isDirect, isSynced }: MeasurementContext): boolean {
  const { primaryRate, readBytes, writtenBytes } = measurement;
  const isUnsynced = primaryRate === 'bytes' && !isDirect && !isSynced;
  return writtenBytes > 0 && (readBytes === 0 || isUnsynced);
}

/** Returns why a sync cannot have made data durable. Null if nothing shows that. */
export function whySyncIsTooFast(
  { phase, latencyNs }: Pick<Measurement, 'phase' | 'latencyNs'>,
  { isMemory, mountOptions, disk }: Pick<MeasurementContext, 'isMemory' | 'mountOptions' | 'disk'>,
): string | null {
  if (isMemory || !latencyNs || !SINGLE_SYNC_PHASES.includes(phase)) return null;
  const option = NO_BARRIER_OPTIONS.find((name) => mountOptions.includes(name));
  if (option !== undefined) return `the filesystem is mounted with ${option}`;
  const { p50 } = latencyNs;
  const isHardDisk = disk?.rotational === true && PHYSICAL_TRANSPORTS.includes(disk.transport);
  if (isHardDisk && p50 < MIN_HARD_DISK_SYNC_NS) return 'a hard disk takes longer';
  const hasVolatileCache = disk?.rotational === false && disk.writeCache === 'write back';
  return hasVolatileCache && p50 < MIN_FLUSH_NS ? 'a flush of its write cache takes longer' : null;
}

/**
 * Ignores writes that look like other programs' writes: a filesystem's extra writes, its journal if each write is synced, and
 * an earlier phase's dirty pages.
 */
function countOtherBytes({ otherIo }: Measurement, context: MeasurementContext): number {
  const isOwn = amplifiesWrites(context) || context.ioUnit === 'tool-calls' || context.areWritesSynced;
  return (otherIo?.readBytes ?? 0) + (isOwn ? 0 : (otherIo?.writtenBytes ?? 0));
}

/** `12.3 %`, or `12.3 % to 45.6 %`. */
function formatRange<Item>(
  items: readonly Item[],
  getValue: (item: Item) => number,
  format: (value: number) => string,
): string {
  const { min, max } = minMax(items.map(getValue));
  return [...new Set([format(min), format(max)])].join(' to ');
}

function formatMegabytes(bytes: number): string {
  return (bytes / MB).toFixed(0);
}

function formatDeviceShares(measurements: MeasurementList): string {
  return formatRange(measurements, ({ device }) => device.share ?? 0, formatShare);
}
