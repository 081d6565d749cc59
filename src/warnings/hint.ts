import { type Phase, supportsDirect } from '../../workers/phases/phase.js';
import { canSyncDirectories } from '../../workers/protocol.js';
import {
  canCompress,
  directIoReachesDevice,
  ignoresSync,
  type MountedFilesystem,
} from '../machine/filesystem.js';
import { MAX_FILES } from '../options/option-catalogue.js';
import { isSupportedOn } from '../options/platform-support.js';
import type { Measurement } from '../report/schema/measurement-schema.js';

const STILL_BUFFERED =
  'this filesystem buffers or reduces even direct and synced I/O: measure another directory';
const COMPRESSED = 'measure a directory whose files are not compressed';
const INCLUDE_SYNC = 'gobonnie without --no-fsync includes the sync';
const IGNORES_SYNC = 'this volatile overlay ignores syncs: measure another directory';
const MORE_FILES =
  'pass more --files or a larger --file-size than RAM can cache: the files were just created';
const MORE_FILES_THAN_CACHED = 'pass more --files than RAM can cache, at about 1 KiB each';
const ALL_FILES_CACHED = "not a disk's speed: RAM can cache even the maximum number of --files";

/** How and where a phase was measured. */
export interface MeasurementContext extends MountedFilesystem {
  readonly isMemory: boolean;
  readonly ioUnit: Phase['ioUnit'];
  readonly access: Phase['access'];
  readonly isDirect: boolean;
  /** True if the clock stops only after the written data is synced. */
  readonly isSynced: boolean;
  readonly dataBytes: number;
  readonly memoryBytes: number;
  readonly platform: string;
  readonly requestedCache: string;
  readonly hasStonewall: boolean;
  /** The rate of this phase if the page cache serves it. Null if unknown. */
  readonly ceilingPerSecond: number | null;
}

/** Approximate size of a name and its inode in the cache. */
const METADATA_BYTES_PER_FILE = 1024;

/** True if the phase created, statted or deleted small files without moving data. */
export function isMetadataOnly(measurement: Measurement, { ioUnit }: MeasurementContext): boolean {
  return ioUnit === 'files' && measurement.readBytes + measurement.writtenBytes === 0;
}

export function isReadPhase(measurement: Measurement, context: MeasurementContext): boolean {
  return isMetadataOnly(measurement, context) ? context.access === 'uses' : measurement.readBytes > 0;
}

/** Returns a number of names that is certainly too large for the page cache. */
export function uncacheableFileCount(memoryBytes: number): number {
  return (2 * memoryBytes) / METADATA_BYTES_PER_FILE;
}

function moreFilesHint({ memoryBytes }: MeasurementContext): string {
  return uncacheableFileCount(memoryBytes) > MAX_FILES ? ALL_FILES_CACHED : MORE_FILES_THAN_CACHED;
}

/** Returns how to measure the disk instead of the page cache, with methods that work here. */
export function howToReachDevice(measurement: Measurement, context: MeasurementContext): string {
  if (context.isMemory) return 'measure a directory on a disk';
  // With an unknown share, the data may also be in the drive's cache.
  const isWrite = !isReadPhase(measurement, context);
  if (context.isDirect || (isWrite && context.isSynced)) {
    if (measurement.device.share === null) return INCLUDE_SYNC;
    return canCompress(context) ? COMPRESSED : STILL_BUFFERED;
  }
  if (isWrite) return howToWriteToDevice(measurement, context);
  const { ioUnit, platform, requestedCache } = context;
  if (ioUnit === 'files') return MORE_FILES;
  const direct = canUseDirect(context) ? '--direct or ' : '';
  const isCacheKept = requestedCache === 'keep' && isSupportedOn('evict', platform);
  return `pass ${direct}${moreDataOption(context)}${isCacheKept ? ', or leave out --cache keep' : ''}`;
}

/** With --stonewall, a larger size alone may not write more data. */
function moreDataOption({ hasStonewall }: MeasurementContext): string {
  return hasStonewall ? 'a larger --size and --stonewall' : 'a larger --size';
}

function howToWriteToDevice(measurement: Measurement, context: MeasurementContext): string {
  const { ioUnit, platform } = context;
  if (ignoresSync(context)) return IGNORES_SYNC;
  if (isMetadataOnly(measurement, context))
    return canSyncDirectories(platform) ? INCLUDE_SYNC : moreFilesHint(context);
  if (ioUnit === 'files') return 'pass --fsync-per-write';
  return INCLUDE_SYNC;
}

function canUseDirect(context: MeasurementContext): boolean {
  return (
    supportsDirect(context) && isSupportedOn('direct', context.platform) && directIoReachesDevice(context)
  );
}

/** Returns how to make the device's share known. Null if nothing does. */
export function howToGetCounted(measurement: Measurement, context: MeasurementContext): string | null {
  const canSync = !isReadPhase(measurement, context) && !ignoresSync(context);
  if (canSync && isMetadataOnly(measurement, context))
    return canSyncDirectories(context.platform) ? INCLUDE_SYNC : null;
  // The kernel counts written data, but not how much of it is still dirty.
  if (canSync && !context.isDirect && measurement.device.writtenBytes !== null)
    return context.ioUnit === 'files' ? 'pass --fsync-per-write' : INCLUDE_SYNC;
  return context.lowerCache?.loopDevice ? howToBypassLoopCache(context.lowerCache.loopDevice) : null;
}

/** Returns how to keep a loop device, even a mounted one, from caching its file. */
export function howToBypassLoopCache(loop: string): string {
  return `run \`losetup --direct-io=on ${loop}\` (needs root)`;
}

/** Returns how to measure the disk if the kernel does not count its share. */
export function howToReachUncountedDevice(measurement: Measurement, context: MeasurementContext): string {
  if (!isReadPhase(measurement, context)) return howToWriteToDevice(measurement, context);
  if (context.ioUnit === 'files')
    return isMetadataOnly(measurement, context) ? moreFilesHint(context) : MORE_FILES;
  const methods: string[] = [];
  if (!context.isDirect && canUseDirect(context)) methods.push('pass --direct');
  if (context.lowerCache?.loopDevice) methods.push(howToBypassLoopCache(context.lowerCache.loopDevice));
  methods.push('use a --size well above the RAM');
  return methods.join(', or ');
}
