import { canBeDirect, type Phase } from '../../../workers/phases/phase.js';
import { canOn } from '../../options/systems.js';
import type { Measurement } from '../schema/measured.js';
import type { Circumstances } from './circumstances.js';

const STILL_BUFFERED = 'this filesystem takes --direct and still buffers: measure another directory';

/** How to measure the disk and not memory, by what works here. */
export function deviceHint(measurement: Measurement, where: Circumstances): string {
  if (where.isMemory) return 'measure a directory on a disk';
  // What is unknown may be in the cache of the drive, too.
  if (where.isDirect) return measurement.device.share === null ? 'pass --fsync, too' : STILL_BUFFERED;
  return measurement.readBytes > 0 ? readHint(measurement, where) : writeHint(measurement, where);
}

/** A phase that --stonewall cut does not do more with more data. */
function moreData({ stonewall }: Measurement): string {
  return stonewall ? 'a larger --stonewall' : 'a larger --size';
}

function readHint(measurement: Measurement, { moves, platform, cacheAsked }: Circumstances): string {
  if (moves === 'files')
    return 'they were made a moment before; pass more --files or a larger --file-size than memory holds';
  const direct = canHelpDirect(moves, platform) ? '--direct or ' : '';
  const empties = cacheAsked === 'keep' && canOn('evict', platform);
  return `pass ${direct}${moreData(measurement)}${empties ? ', or leave out --cache keep' : ''}`;
}

function writeHint(measurement: Measurement, { moves, platform }: Circumstances): string {
  if (moves === 'files') return 'pass --sync-writes';
  return `pass --fsync${canHelpDirect(moves, platform) ? ', --direct' : ''} or ${moreData(measurement)}`;
}

function canHelpDirect(moves: Phase['moves'], platform: string): boolean {
  return canBeDirect({ moves }) && canOn('direct', platform);
}

/** How to measure the disk if nothing counts what it served. */
export function uncountedHint({ moves, platform }: Circumstances): string {
  return `${canHelpDirect(moves, platform) ? 'pass --direct, or ' : ''}use a --size well above the RAM`;
}
