import type { Phase } from '../../../workers/phases/phase.js';
import type { IoBytes, Transfer } from '../../../workers/protocol.js';
import {
  directIoReachesDevice,
  hasIoAccounting,
  ignoresSync,
  isCopyOnWrite,
  type MountedFilesystem,
  whyIoIsUnaccounted,
} from '../../machine/filesystem.js';
import { SERVED_SHARE } from '../rate.js';
import type { DeviceIo } from '../schema/report.js';

export interface DiskIo extends IoBytes {
  /** Both include requests that the kernel merged with others. */
  readonly readRequests: number;
  readonly writeRequests: number;
}

export interface IoCounters {
  /** I/O of this process or, beside another step, of the threads of the step. */
  readonly io: IoBytes | null;
  /** Why `io` or `newDirtyBytes` is null. If absent, this system does not count it. */
  readonly unknownReason?: string;
  /** Growth of the host's dirty bytes until the clock stopped. */
  readonly newDirtyBytes: number | null;
  /** I/O of the device, by any process. */
  readonly disk: DiskIo | null;
}

type DeviceTransfer = Pick<Transfer, 'ioSizeBytes' | 'alignBytes' | 'direct' | 'fsync'>;

/** The filesystem that contains the data; the kernel's counts depend on it. */
export interface TargetContext extends MountedFilesystem {
  readonly isMemory: boolean;
  readonly pageBytes: number;
  readonly processors: number;
  /** True if the whole page cache was dropped for the phase, including the cache of images and loop devices. */
  readonly isCacheDropped: boolean;
}

/** The kernel counts this many pages per CPU before it adds them to the host's dirty bytes. */
const PAGES_BEFORE_COUNTED = 125;

/** Direct reads fetch exactly the requested bytes; more than this means that they go through the page cache. */
const CACHED_READ_RATIO = 1.25;

const NOT_COUNTED = 'this system does not count device I/O per process';
const DIRTY_NOT_COUNTED = 'this system does not count dirty pages';

const UNKNOWN = { readBytes: null, writtenBytes: null, dirtyBytes: null, share: null, reason: null };
const NOTHING_FROM_DEVICE = { readBytes: 0, writtenBytes: 0, dirtyBytes: null, share: 0, reason: null };

/** Computes the device's share of the moved data, or of the changed names if a phase of small files moved no data. */
export function computeDeviceIo(
  moved: IoBytes,
  transfer: DeviceTransfer,
  { order, access }: Pick<Phase, 'order' | 'access'>,
  counters: IoCounters,
  target: TargetContext,
): DeviceIo {
  const { io, newDirtyBytes, disk } = counters;
  if (target.isMemory) return NOTHING_FROM_DEVICE;
  const isSynced = transfer.fsync && !ignoresSync(target);
  const isWithoutData = moved.readBytes + moved.writtenBytes === 0;
  if (isWithoutData && isSynced && access !== 'uses') return { ...UNKNOWN, ...io, share: 1 };
  if (!hasIoAccounting(target)) return { ...UNKNOWN, reason: whyIoIsUnaccounted(target) };
  const isSyncedWrite = isSynced && moved.writtenBytes > 0 && moved.readBytes === 0;
  const bypassesCache = isSyncedWrite || (transfer.direct && directIoReachesDevice(target));
  if (io === null && bypassesCache && !target.lowerCache) return { ...UNKNOWN, share: 1 };
  if (io === null) return { ...UNKNOWN, reason: counters.unknownReason ?? NOT_COUNTED };
  const dirtyBytes = computeDirtyBytes(moved, { ...transfer, fsync: isSynced }, newDirtyBytes);
  const known = { ...io, dirtyBytes, reason: null };
  if (isWithoutData)
    return { ...known, share: null, reason: 'the kernel does not count metadata operations' };
  // The host's dirty bytes include a loop device's share of a buffered write.
  const isFileCold = target.isCacheDropped && target.lowerCache?.loopDevice !== null;
  const isReadUnknown = moved.readBytes > 0 && (transfer.direct || !isFileCold);
  // A loop device passes a sync on to its file.
  const isWriteUnknown = moved.writtenBytes > 0 && (!isSynced || target.lowerCache?.loopDevice === null);
  if (target.lowerCache && (isReadUnknown || isWriteUnknown))
    return { ...known, share: null, reason: target.lowerCache.reason };
  const isRandom = order === 'random';
  const touchedBytes = isRandom ? countTouchedBytes(moved, transfer, target.pageBytes) : moved.readBytes;
  // The counts cannot exceed the device's own I/O if the whole directory is on one device.
  const limit = disk === null || isCopyOnWrite(target) ? io : disk;
  const requestedBytes = isRandom ? countRequestedBytes(transfer, io, disk) : Number.POSITIVE_INFINITY;
  if (transfer.direct)
    return { ...known, share: directShare(moved, touchedBytes, requestedBytes, io, limit) };
  const readShare =
    moved.readBytes > 0 ? Math.min(io.readBytes / touchedBytes, requestedBytes / moved.readBytes, 1) : 1;
  const isWriteCounted = moved.writtenBytes > 0 && order === 'sequential' && !isSynced;
  if (moved.readBytes > 0 && !isWriteCounted) return { ...known, share: readShare };
  // All written bytes may still be dirty.
  if (dirtyBytes === null)
    return { ...known, share: null, reason: counters.unknownReason ?? DIRTY_NOT_COUNTED };
  const minBytes = target.processors * PAGES_BEFORE_COUNTED * target.pageBytes;
  if (!isSynced && moved.writtenBytes < minBytes)
    return { ...known, share: null, reason: 'the kernel does not count so few dirty pages' };
  // The host's dirty bytes are too low if other programs' data was written or deleted meanwhile.
  const reachedBytes = Math.min(io.writtenBytes - dirtyBytes, limit.writtenBytes);
  return { ...known, share: Math.min(readShare, clampedShare(reachedBytes, moved.writtenBytes)) };
}

/** The result of a tool includes the page cache, like the tool, unless the phase needs a cold cache. */
export function computeToolIo(
  { coldCache }: Pick<Phase, 'coldCache'>,
  { io }: Pick<IoCounters, 'io'>,
  { isMemory, isCacheDropped }: Pick<TargetContext, 'isMemory' | 'isCacheDropped'>,
): DeviceIo {
  if (isMemory) return NOTHING_FROM_DEVICE;
  const counts = { ...UNKNOWN, ...io };
  if (!coldCache) return { ...counts, share: 1 };
  if (!isCacheDropped) return { ...counts, reason: 'the cache of directories and inodes was not dropped' };
  if (io?.readBytes) return { ...counts, share: 1 };
  return { ...counts, reason: 'the device read nothing, so the cache was not cold' };
}

/** The kernel counts dirty pages of the whole host, so they include other programs' pages. */
function computeDirtyBytes(moved: IoBytes, { direct, fsync }: DeviceTransfer, newDirtyBytes: number | null) {
  // Direct writes leave nothing in the cache; dirty pages belong to a loop device's image.
  if (direct) return null;
  // The sync is part of the measured time.
  if (fsync && moved.readBytes === 0) return 0;
  return newDirtyBytes === null ? null : Math.min(newDirtyBytes, moved.writtenBytes);
}

/**
 * Returns how many bytes random reads can have read from the device with its number of requests. One request may fill
 * many pages, because of readahead or compression, and so serve later reads.
 */
function countRequestedBytes({ ioSizeBytes }: DeviceTransfer, io: IoBytes, disk: DiskIo | null): number {
  // Some stacked devices count nothing.
  const isCounted = disk !== null && disk.readBytes >= io.readBytes * SERVED_SHARE;
  return isCounted ? disk.readRequests * ioSizeBytes : Number.POSITIVE_INFINITY;
}

/** A filesystem may accept O_DIRECT but still use the cache; the device then moves less. */
function directShare(
  moved: IoBytes,
  touchedBytes: number,
  requestedBytes: number,
  io: IoBytes,
  limit: IoBytes,
): number {
  const readBytes = Math.min(io.readBytes, limit.readBytes, requestedBytes);
  const writtenBytes = Math.min(io.writtenBytes, limit.writtenBytes, moved.writtenBytes);
  if (moved.readBytes > 0 && readBytes > moved.readBytes * CACHED_READ_RATIO)
    return clampedShare(readBytes, touchedBytes);
  const servedBytes = Math.min(readBytes, moved.readBytes) + writtenBytes;
  return clampedShare(servedBytes, moved.readBytes + moved.writtenBytes);
}

/** At most 1: the kernel may count more because it reads ahead and reads metadata. */
function clampedShare(servedBytes: number, wantedBytes: number): number {
  return Math.min(1, Math.max(0, servedBytes / wantedBytes));
}

/**
 * Returns how much the cache fetches on average, for random offsets: for a read every touched page, for a write the
 * pages at its two ends, which it changes only partly.
 */
function countTouchedBytes(
  { readBytes, writtenBytes }: IoBytes,
  { ioSizeBytes, alignBytes }: DeviceTransfer,
  pageBytes: number,
): number {
  const stepBytes = Math.min(alignBytes, pageBytes);
  const pagesPerRead = 1 + (ioSizeBytes - stepBytes) / pageBytes;
  const pagesPerWrite = Math.min(pagesPerRead, 2 * (1 - stepBytes / pageBytes));
  return ((pagesPerRead * readBytes + pagesPerWrite * writtenBytes) / ioSizeBytes) * pageBytes;
}
