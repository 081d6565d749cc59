import { supportsDirect } from '../../../workers/phases/phase.js';
import { canSyncDirectories } from '../../../workers/protocol.js';
import { directIoReachesDevice, ignoresSync } from '../../machine/filesystem.js';
import { MAX_FILES } from '../../options/bonnie-options.js';
import { isSupportedOn } from '../../options/platform-support.js';
import type { Measurement } from '../schema/measurement-schema.js';
import { isMetadataOnly, isReadPhase, type MeasurementContext } from './measurement-context.js';

const STILL_BUFFERED = 'this filesystem takes --direct and still buffers: measure another directory';
const IGNORES_SYNC = 'this overlay is volatile, so that no sync has an effect: measure another directory';
const MORE_FILES =
  'they were made a moment before; pass more --files or a larger --file-size than memory holds';

const MORE_FILES_THAN_CACHED = 'pass more --files than memory has room for; each takes about 1 KiB of it';
const ALL_FILES_CACHED =
  'do not take it for the speed of a disk: memory has room for as many --files as there can be';

/** About what the kernel keeps in memory for a name and what it belongs to. */
const METADATA_BYTES_PER_FILE = 1024;

/** How many names are more than memory holds. */
export function uncacheableFileCount(memoryBytes: number): number {
  return (2 * memoryBytes) / METADATA_BYTES_PER_FILE;
}

function moreFilesHint({ memoryBytes }: MeasurementContext): string {
  return uncacheableFileCount(memoryBytes) > MAX_FILES ? ALL_FILES_CACHED : MORE_FILES_THAN_CACHED;
}

/** How to measure the disk and not memory, by what works here. */
export function howToReachDevice(measurement: Measurement, context: MeasurementContext): string {
  if (context.isMemory) return 'measure a directory on a disk';
  // What is unknown may be in the cache of the drive, too.
  if (context.isDirect) return measurement.device.share === null ? 'pass --fsync, too' : STILL_BUFFERED;
  return isReadPhase(measurement, context)
    ? howToReadFromDevice(measurement, context)
    : howToWriteToDevice(measurement, context);
}

/** A phase that --stonewall cut does not do more with more data. */
function moreDataOption({ stonewall }: Measurement): string {
  return stonewall ? 'a larger --stonewall' : 'a larger --size';
}

function howToReadFromDevice(measurement: Measurement, context: MeasurementContext): string {
  const { ioUnit, platform, requestedCache } = context;
  if (ioUnit === 'files') return MORE_FILES;
  const direct = canUseDirect(context) ? '--direct or ' : '';
  const isCacheKept = requestedCache === 'keep' && isSupportedOn('evict', platform);
  return `pass ${direct}${moreDataOption(measurement)}${isCacheKept ? ', or leave out --cache keep' : ''}`;
}

function howToWriteToDevice(measurement: Measurement, context: MeasurementContext): string {
  const { ioUnit, platform } = context;
  if (ignoresSync(context)) return IGNORES_SYNC;
  if (isMetadataOnly(measurement, context))
    return canSyncDirectories(platform) ? 'pass --fsync' : moreFilesHint(context);
  if (ioUnit === 'files') return 'pass --fsync-per-write';
  return `pass --fsync${canUseDirect(context) ? ', --direct' : ''} or ${moreDataOption(measurement)}`;
}

function canUseDirect(context: MeasurementContext): boolean {
  return (
    supportsDirect(context) && isSupportedOn('direct', context.platform) && directIoReachesDevice(context)
  );
}

/** What makes the share of the device known. Null if nothing does. */
export function howToGetCounted(measurement: Measurement, context: MeasurementContext): string | null {
  const canSync = !isReadPhase(measurement, context) && !ignoresSync(context);
  if (canSync && isMetadataOnly(measurement, context))
    return canSyncDirectories(context.platform) ? 'pass --fsync' : null;
  // The kernel counts what was written, but not what of that still waits in memory.
  if (canSync && !context.isDirect && measurement.device.writtenBytes !== null)
    return context.ioUnit === 'files' ? 'pass --fsync-per-write' : 'pass --fsync';
  return context.lowerCache?.loopDevice ? howToBypassLoopCache(context.lowerCache.loopDevice) : null;
}

/** How a loop device stops using the page cache for its file, even while it is mounted. */
export function howToBypassLoopCache(loop: string): string {
  return `run \`losetup --direct-io=on ${loop}\` (it needs root)`;
}

/** How to measure the disk if nothing counts what it served. */
export function howToReachUncountedDevice(measurement: Measurement, context: MeasurementContext): string {
  if (!isReadPhase(measurement, context)) return howToWriteToDevice(measurement, context);
  if (context.ioUnit === 'files')
    return isMetadataOnly(measurement, context) ? moreFilesHint(context) : MORE_FILES;
  const direct = !context.isDirect && canUseDirect(context) ? ['pass --direct'] : [];
  const attached = context.lowerCache?.loopDevice
    ? [howToBypassLoopCache(context.lowerCache.loopDevice)]
    : [];
  return [...direct, ...attached, 'use a --size well above the RAM'].join(', or ');
}
