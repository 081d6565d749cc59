import { supportsDirect } from '../../workers/phases/phase.js';
import { canSyncDirectories } from '../../workers/protocol.js';
import { directIoReachesDevice, hasIoAccounting, ignoresSync } from '../machine/filesystem.js';
import { isSupportedOn } from '../options/platform-support.js';
import type { Measurement } from '../report/schema/measurement-schema.js';
import type { MeasurementContext } from './measurement-context.js';

const STILL_BUFFERED =
  'this filesystem buffers or reduces even direct and synced I/O: measure another directory';
const MORE_FILES =
  'pass more --files or a larger --file-size than RAM can cache: the files were just created';
const UNREAD_FILES = 'name files that nobody has read since the volume was attached';
const UNCOUNTED = 'no counter here shows which data reached the disk: measure another filesystem to know it';
const RELY_ON_SIZE = "rely on the rate as timed: this machine's RAM holds at most half of the data";
const TWICE_RAM = 'a --size of twice the RAM or more, which is hardly cached';
export const MAY_BE_CACHED = "do not rely on these rates: they may be the page cache's";

/** True if the phase created, statted or deleted small files without moving data. */
function isMetadataOnly(measurement: Measurement, { ioUnit }: MeasurementContext): boolean {
  return ioUnit === 'files' && measurement.readBytes + measurement.writtenBytes === 0;
}

function isReadPhase(measurement: Measurement, context: MeasurementContext): boolean {
  return isMetadataOnly(measurement, context) ? context.access === 'uses' : measurement.readBytes > 0;
}

/** True for a first read, whose answer names the share of the cache. */
export function isOfExistingFiles({ phase }: Measurement): boolean {
  return phase === 'first-read' || phase === 'second-read';
}

/** Returns how to measure the disk instead of the page cache, with methods that work here. */
export function howToReachDevice(measurement: Measurement, context: MeasurementContext): string {
  if (context.isMemory) return 'measure a directory on a disk';
  const sync = howToSync(measurement, context);
  if (sync !== null) return sync;
  if (isMetadataOnly(measurement, context)) return MAY_BE_CACHED;
  if (measurement.phase === 'first-read') return UNREAD_FILES;
  if (measurement.phase === 'second-read') return STILL_BUFFERED;
  if (!isReadPhase(measurement, context)) return howToWriteToDevice(measurement, context);
  if (context.ioUnit === 'files') return MORE_FILES;
  if (context.isDirect && measurement.device.share !== null) return STILL_BUFFERED;
  return howToReadFromDevice(measurement, context);
}

/** Returns how to include the sync of the phase's writes. Null if it only reads, if they were synced, or if no sync works here. */
function howToSync(measurement: Measurement, context: MeasurementContext): string | null {
  const { ioUnit, isSynced, platform } = context;
  const includeSync = `include the final sync: ${passSetting('fsync=true', '--no-fsync=false', context)}`;
  if (isReadPhase(measurement, context) || ignoresSync(context)) return null;
  if (isMetadataOnly(measurement, context)) return canSyncDirectories(platform) ? includeSync : null;
  if (isSynced) return null;
  return ioUnit === 'files' ? passSetting(null, '--fsync-per-write', context) : includeSync;
}

/** The final sync writes a block only once, however often a random phase overwrote it. */
function howToWriteToDevice({ device }: Measurement, context: MeasurementContext): string {
  const { ioUnit, isDirect, isSynced, areWritesSynced, isBeside } = context;
  if (device.share === null && !ignoresSync(context)) return UNCOUNTED;
  const isSyncedOnce = isSynced && !isDirect && !areWritesSynced;
  const isRepeated = ioUnit === 'random-blocks' || isBeside;
  if (!isRepeated || !isSyncedOnce || device.share === null) return STILL_BUFFERED;
  return `RAM absorbs repeated writes to a block: ${howToWaitForDevice(context)}`;
}

/** Returns how to make each write wait for the device. */
export function howToWaitForDevice(context: Pick<MeasurementContext, 'isListed' | 'command'>): string {
  return passSetting('direct=true or sync-per-write=fdatasync', '--direct or --fsync-per-write', context);
}

/** A step of a list has settings of its own. A command such as `quick` takes neither these nor most flags. */
function passSetting(
  setting: string | null,
  flags: string,
  { command, isListed }: Pick<MeasurementContext, 'isListed' | 'command'>,
): string {
  const action = isListed && setting !== null ? `set ${setting} in the step` : `pass ${flags}`;
  return command === undefined ? action : `without ${command}, ${action}`;
}

/** `quick` and `load` write their data for at most a few seconds, whatever its size. */
function howToPassSize(size: string, { command, isLayoutLimited }: MeasurementContext): string {
  return command !== undefined && isLayoutLimited ? `without ${command}, pass ${size}` : `pass ${size}`;
}

function howToReadFromDevice({ device }: Measurement, context: MeasurementContext): string {
  const { platform, requestedCache, lowerCache, isDirect, isListed } = context;
  const acceptsDirect = context.acceptsDirect !== false && isSupportedOn('direct', platform);
  const canUseDirect = supportsDirect(context) && acceptsDirect && directIoReachesDevice(context);
  const methods: string[] = [];
  if (!isDirect && canUseDirect) methods.push(passSetting('direct=true', '--direct', context));
  const isCacheKept = requestedCache === 'keep' && isSupportedOn('evict', platform);
  if (!isDirect && isCacheKept) methods.push('leave out --cache keep');
  if (lowerCache?.loopDevice) methods.push(howToBypassLoopCache(lowerCache.loopDevice));
  if (context.isTwiceRam && device.share === null) {
    // A server may cache more, and half of the random reads may be served by this machine's RAM.
    const isSequential = context.ioUnit === 'blocks' && !isListed;
    methods.push(isSequential && directIoReachesDevice(context) ? RELY_ON_SIZE : MAY_BE_CACHED);
  } else if (context.isTwiceRam) methods.push(howToPassSize('a larger --size', context));
  else if (context.fitsTwiceRam) methods.push(howToPassSize(TWICE_RAM, context));
  return methods.length === 0 ? 'measure a disk with more free space than RAM' : methods.join(', or ');
}

/** Returns how to make the device's share known. Null if nothing does. */
export function howToGetCounted(measurement: Measurement, context: MeasurementContext): string | null {
  const sync = howToSync(measurement, context);
  if (sync !== null && (isMetadataOnly(measurement, context) || hasIoAccounting(context))) return sync;
  return context.lowerCache?.loopDevice ? howToBypassLoopCache(context.lowerCache.loopDevice) : null;
}

/** Returns how to keep a loop device, even a mounted one, from caching its file. */
export function howToBypassLoopCache(loop: string): string {
  return `run \`losetup --direct-io=on ${loop}\` (needs root)`;
}
