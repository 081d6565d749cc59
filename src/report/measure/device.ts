import type { Phase } from '../../../workers/phases/phase.js';
import type { Transfer } from '../../../workers/protocol.js';
import {
  hasIoAccounting,
  ignoresSync,
  type MountedFilesystem,
  maySpanDevices,
  whyIoIsUnaccounted,
} from '../../machine/filesystem.js';
import type { DeviceIo } from '../schema/report.js';

export interface IoBytes {
  readonly readBytes: number;
  readonly writtenBytes: number;
}

export interface IoCounters {
  /** I/O of this process. */
  readonly io: IoBytes | null;
  /** Growth of the host's dirty bytes until the clock stopped. */
  readonly newDirtyBytes: number | null;
  /** I/O of the device, by any process. */
  readonly disk: IoBytes | null;
}

export type DeviceTransfer = Pick<Transfer, 'ioSizeBytes' | 'alignBytes' | 'direct' | 'fsync'>;

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

/** Computes the device's share of the moved data, or of the changed names if a phase of small files moved no data. */
export function computeDeviceIo(
  moved: IoBytes,
  transfer: DeviceTransfer,
  { order, access }: Pick<Phase, 'order' | 'access'>,
  counters: IoCounters,
  target: TargetContext,
): DeviceIo {
  const { io, newDirtyBytes, disk } = counters;
  if (target.isMemory) return { readBytes: 0, writtenBytes: 0, dirtyBytes: null, share: 0, reason: null };
  const isSynced = transfer.fsync && !ignoresSync(target);
  const isWithoutData = moved.readBytes + moved.writtenBytes === 0;
  if (isWithoutData && isSynced && access !== 'uses') return { ...unknownDeviceIo(null), ...io, share: 1 };
  if (!hasIoAccounting(target)) return unknownDeviceIo(whyIoIsUnaccounted(target));
  if (io === null) return unknownDeviceIo('this system does not count device I/O per process');
  const dirtyBytes = computeDirtyBytes(moved, { ...transfer, fsync: isSynced }, newDirtyBytes);
  const known = { ...io, dirtyBytes, reason: null };
  if (isWithoutData)
    return { ...known, share: null, reason: 'the kernel does not count metadata operations' };
  // The host's dirty bytes include a loop device's share of a buffered write.
  const isFileCold = target.isCacheDropped && target.lowerCache?.loopDevice !== null;
  if (target.lowerCache && (transfer.direct || (moved.readBytes > 0 && !isFileCold)))
    return { ...known, share: null, reason: target.lowerCache.reason };
  const touchedBytes =
    order === 'random'
      ? countTouchedPages(moved, transfer, target.pageBytes) * target.pageBytes
      : moved.readBytes;
  // The counts cannot exceed the device's own I/O if the whole directory is on one device.
  const limit = disk === null || maySpanDevices(target) ? io : disk;
  if (transfer.direct) return { ...known, share: directShare(moved, touchedBytes, io, limit) };
  if (moved.readBytes > 0) return { ...known, share: clampedShare(io.readBytes, touchedBytes) };
  // All written bytes may still be dirty.
  if (dirtyBytes === null && moved.writtenBytes > 0)
    return { ...known, share: null, reason: 'this system does not count dirty pages' };
  const minBytes = target.processors * PAGES_BEFORE_COUNTED * target.pageBytes;
  if (!isSynced && moved.writtenBytes > 0 && moved.writtenBytes < minBytes)
    return { ...known, share: null, reason: 'the kernel does not count so few dirty pages' };
  // The host's dirty bytes are too low if other programs' data was written or deleted meanwhile.
  const reachedBytes = Math.min(io.writtenBytes - (dirtyBytes ?? 0), limit.writtenBytes);
  return { ...known, share: clampedShare(reachedBytes, moved.writtenBytes) };
}

/** The kernel counts dirty pages of the whole host, so they include other programs' pages. */
function computeDirtyBytes(moved: IoBytes, { direct, fsync }: DeviceTransfer, newDirtyBytes: number | null) {
  // Direct writes leave nothing in the cache; dirty pages belong to a loop device's image.
  if (direct) return null;
  // The sync is part of the measured time.
  if (fsync && moved.readBytes === 0) return 0;
  return newDirtyBytes === null ? null : Math.min(newDirtyBytes, moved.writtenBytes);
}

/** A filesystem may accept O_DIRECT but still use the cache; the device then moves less. */
function directShare(moved: IoBytes, touchedBytes: number, io: IoBytes, limit: IoBytes): number {
  const readBytes = Math.min(io.readBytes, limit.readBytes);
  const writtenBytes = Math.min(io.writtenBytes, limit.writtenBytes, moved.writtenBytes);
  if (moved.readBytes > 0 && readBytes > moved.readBytes * CACHED_READ_RATIO)
    return clampedShare(readBytes, touchedBytes);
  return clampedShare(
    Math.min(readBytes, moved.readBytes) + writtenBytes,
    moved.readBytes + moved.writtenBytes,
  );
}

function unknownDeviceIo(reason: string | null): DeviceIo {
  return { readBytes: null, writtenBytes: null, dirtyBytes: null, share: null, reason };
}

/** At most 1: the kernel may count more because it reads ahead and reads metadata. */
function clampedShare(servedBytes: number, wantedBytes: number): number {
  return Math.min(1, Math.max(0, servedBytes / wantedBytes));
}

/**
 * Returns how many pages the cache fetches on average, for random offsets: for a read every touched page, for a write
 * the pages at its two ends, which it changes only partly.
 */
function countTouchedPages(
  { readBytes, writtenBytes }: IoBytes,
  { ioSizeBytes, alignBytes }: DeviceTransfer,
  pageBytes: number,
): number {
  const stepBytes = Math.min(alignBytes, pageBytes);
  const pagesPerRead = 1 + (ioSizeBytes - stepBytes) / pageBytes;
  const pagesPerWrite = Math.min(pagesPerRead, 2 * (1 - stepBytes / pageBytes));
  return (pagesPerRead * readBytes + pagesPerWrite * writtenBytes) / ioSizeBytes;
}
