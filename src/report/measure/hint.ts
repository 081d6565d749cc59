import { supportsDirect } from '../../../workers/phases/phase.js';
import { canSyncDirectories } from '../../../workers/protocol.js';
import { ignoresSync, directIoReachesDevice } from '../../machine/filesystem.js';
import { MAX_FILES } from '../../options/family.js';
import { isSupportedOn } from '../../options/systems.js';
import type { Measurement } from '../schema/measured.js';
import { type Circumstances, isOfNames, isReading } from './circumstances.js';

const STILL_BUFFERED = 'this filesystem takes --direct and still buffers: measure another directory';
const IGNORES_SYNC = 'this overlay is volatile, so that no sync has an effect: measure another directory';
const MORE_FILES =
  'they were made a moment before; pass more --files or a larger --file-size than memory holds';

const MORE_NAMES = 'pass more --files than memory has room for; each takes about 1 KiB of it';
const TOO_MANY_NAMES =
  'do not take it for the speed of a disk: memory has room for as many --files as there can be';

/** About what the kernel keeps in memory for a name and what it belongs to. */
const NAME_BYTES = 1024;

/** How many names are more than memory holds. */
export function namesBeyond(memoryBytes: number): number {
  return (2 * memoryBytes) / NAME_BYTES;
}

function moreNames({ memoryBytes }: Circumstances): string {
  return namesBeyond(memoryBytes) > MAX_FILES ? TOO_MANY_NAMES : MORE_NAMES;
}

/** How to measure the disk and not memory, by what works here. */
export function deviceHint(measurement: Measurement, where: Circumstances): string {
  if (where.isMemory) return 'measure a directory on a disk';
  // What is unknown may be in the cache of the drive, too.
  if (where.isDirect) return measurement.device.share === null ? 'pass --fsync, too' : STILL_BUFFERED;
  return isReading(measurement, where) ? readHint(measurement, where) : writeHint(measurement, where);
}

/** A phase that --stonewall cut does not do more with more data. */
function moreData({ stonewall }: Measurement): string {
  return stonewall ? 'a larger --stonewall' : 'a larger --size';
}

function readHint(measurement: Measurement, where: Circumstances): string {
  const { ioUnit, platform, requestedCache } = where;
  if (ioUnit === 'files') return MORE_FILES;
  const direct = canHelpDirect(where) ? '--direct or ' : '';
  const empties = requestedCache === 'keep' && isSupportedOn('evict', platform);
  return `pass ${direct}${moreData(measurement)}${empties ? ', or leave out --cache keep' : ''}`;
}

function writeHint(measurement: Measurement, where: Circumstances): string {
  const { ioUnit, platform } = where;
  if (ignoresSync(where)) return IGNORES_SYNC;
  if (isOfNames(measurement, where)) return canSyncDirectories(platform) ? 'pass --fsync' : moreNames(where);
  if (ioUnit === 'files') return 'pass --fsync-per-write';
  return `pass --fsync${canHelpDirect(where) ? ', --direct' : ''} or ${moreData(measurement)}`;
}

function canHelpDirect(where: Circumstances): boolean {
  return supportsDirect(where) && isSupportedOn('direct', where.platform) && directIoReachesDevice(where);
}

/** What makes the share of the device known. Null if nothing does. */
export function countingHint(measurement: Measurement, where: Circumstances): string | null {
  const canSync = !isReading(measurement, where) && !ignoresSync(where);
  if (canSync && isOfNames(measurement, where))
    return canSyncDirectories(where.platform) ? 'pass --fsync' : null;
  // The kernel counts what was written, but not what of that still waits in memory.
  if (canSync && !where.isDirect && measurement.device.writtenBytes !== null)
    return where.ioUnit === 'files' ? 'pass --fsync-per-write' : 'pass --fsync';
  return where.lowerCache?.loopDevice ? uncachingHint(where.lowerCache.loopDevice) : null;
}

/** How a loop device stops using the page cache for its file, even while it is mounted. */
export function uncachingHint(loop: string): string {
  return `run \`losetup --direct-io=on ${loop}\` (it needs root)`;
}

/** How to measure the disk if nothing counts what it served. */
export function uncountedHint(measurement: Measurement, where: Circumstances): string {
  if (!isReading(measurement, where)) return writeHint(measurement, where);
  if (where.ioUnit === 'files') return isOfNames(measurement, where) ? moreNames(where) : MORE_FILES;
  const direct = !where.isDirect && canHelpDirect(where) ? ['pass --direct'] : [];
  const attached = where.lowerCache?.loopDevice ? [uncachingHint(where.lowerCache.loopDevice)] : [];
  return [...direct, ...attached, 'use a --size well above the RAM'].join(', or ');
}
