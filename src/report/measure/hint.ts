import { canBeDirect } from '../../../workers/phases/phase.js';
import { syncsDirectories } from '../../../workers/protocol.js';
import { ignoresSync, isDirectToDevice } from '../../machine/filesystem.js';
import { canOn } from '../../options/systems.js';
import type { Measurement } from '../schema/measured.js';
import { type Circumstances, isOfNames, isReading } from './circumstances.js';

const STILL_BUFFERED = 'this filesystem takes --direct and still buffers: measure another directory';
const IGNORES_SYNC = 'this overlay is volatile, so that no sync has an effect: measure another directory';
const MORE_FILES =
  'they were made a moment before; pass more --files or a larger --file-size than memory holds';

const MORE_NAMES = 'pass more --files than memory has room for; each takes about 1 KiB of it';

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
  const { moves, platform, cacheAsked } = where;
  if (moves === 'files') return MORE_FILES;
  const direct = canHelpDirect(where) ? '--direct or ' : '';
  const empties = cacheAsked === 'keep' && canOn('evict', platform);
  return `pass ${direct}${moreData(measurement)}${empties ? ', or leave out --cache keep' : ''}`;
}

function writeHint(measurement: Measurement, where: Circumstances): string {
  const { moves, platform } = where;
  if (ignoresSync(where)) return IGNORES_SYNC;
  if (isOfNames(measurement, where)) return syncsDirectories(platform) ? 'pass --fsync' : MORE_NAMES;
  if (moves === 'files') return 'pass --sync-writes';
  return `pass --fsync${canHelpDirect(where) ? ', --direct' : ''} or ${moreData(measurement)}`;
}

function canHelpDirect(where: Circumstances): boolean {
  return canBeDirect(where) && canOn('direct', where.platform) && isDirectToDevice(where);
}

/** What makes the share of the device known. Null if nothing does. */
export function countingHint(measurement: Measurement, where: Circumstances): string | null {
  if (isOfNames(measurement, where) && !isReading(measurement, where) && !ignoresSync(where))
    return syncsDirectories(where.platform) ? 'pass --fsync' : null;
  return where.doubt?.loop ? uncachingHint(where.doubt.loop) : null;
}

/** How a loop device stops using the page cache for its file, even while it is mounted. */
export function uncachingHint(loop: string): string {
  return `run \`losetup --direct-io=on ${loop}\` as root`;
}

/** How to measure the disk if nothing counts what it served. */
export function uncountedHint(measurement: Measurement, where: Circumstances): string {
  if (!isReading(measurement, where)) return writeHint(measurement, where);
  if (where.moves === 'files') return isOfNames(measurement, where) ? MORE_NAMES : MORE_FILES;
  const direct = !where.isDirect && canHelpDirect(where) ? ['pass --direct'] : [];
  const attached = where.doubt?.loop ? [uncachingHint(where.doubt.loop)] : [];
  return [...direct, ...attached, 'use a --size well above the RAM'].join(', or ');
}
