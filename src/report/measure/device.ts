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

/** What the kernel counted during a phase. */
export interface IoCounters {
  /** For this process. */
  readonly io: IoBytes | null;
  /** By how much more waited in memory to be written when the clock stopped. */
  readonly newDirtyBytes: number | null;
  /** For the device, whoever asked it. */
  readonly disk: IoBytes | null;
}

/** What the share of the device depends on. */
export type DeviceTransfer = Pick<Transfer, 'ioSizeBytes' | 'alignBytes' | 'direct' | 'fsync'>;

/** The filesystem that holds the data: what the kernel's counts depend on. */
export interface TargetContext extends MountedFilesystem {
  readonly isMemory: boolean;
  readonly pageBytes: number;
  readonly processors: number;
  /** Whether the whole page cache was emptied for the phase, that of images and of loop devices, too. */
  readonly isCacheDropped: boolean;
}

/** The kernel counts this many pages on each processor before it adds them to the dirty bytes of the host. */
const PAGES_BEFORE_COUNTED = 125;

/** Direct reads fetch what they ask for; more than this means that they go through the page cache. */
const CACHED_READ_RATIO = 1.25;

/** How much of the moved data the device served, or of the names that a phase of small files without data changed. */
export function computeDeviceIo(
  moved: IoBytes,
  transfer: DeviceTransfer,
  { order, access }: Pick<Phase, 'order' | 'access'>,
  counters: IoCounters,
  target: TargetContext,
): DeviceIo {
  const { io, newDirtyBytes } = counters;
  if (target.isMemory) return { readBytes: 0, writtenBytes: 0, dirtyBytes: null, share: 0, reason: null };
  const isSynced = transfer.fsync && !ignoresSync(target);
  const isWithoutData = moved.readBytes + moved.writtenBytes === 0;
  if (isWithoutData && isSynced && access !== 'uses') return { ...unknownDeviceIo(null), ...io, share: 1 };
  if (!hasIoAccounting(target)) return unknownDeviceIo(whyIoIsUnaccounted(target));
  if (io === null) return unknownDeviceIo('this system does not count what a process reads from devices');
  const dirtyBytes = computeDirtyBytes(moved, { ...transfer, fsync: isSynced }, newDirtyBytes);
  const known = { ...io, dirtyBytes, reason: null };
  if (isWithoutData)
    return { ...known, share: null, reason: 'the kernel does not count operations on names' };
  // What a loop device keeps of a buffered write is among the dirty bytes of the host.
  const isFileCold = target.isCacheDropped && target.lowerCache?.loopDevice !== null;
  if (target.lowerCache && (transfer.direct || (moved.readBytes > 0 && !isFileCold)))
    return { ...known, share: null, reason: target.lowerCache.reason };
  const touchedBytes =
    order === 'random'
      ? countTouchedPages(moved, transfer, target.pageBytes) * target.pageBytes
      : moved.readBytes;
  if (transfer.direct)
    return { ...known, share: directShare(moved, touchedBytes, { ...counters, io }, target) };
  if (moved.readBytes > 0) return { ...known, share: clampedShare(io.readBytes, touchedBytes) };
  // What it counts as written may all be dirty.
  if (dirtyBytes === null && moved.writtenBytes > 0)
    return { ...known, share: null, reason: 'this system does not count what waits in memory to be written' };
  const minBytes = target.processors * PAGES_BEFORE_COUNTED * target.pageBytes;
  if (!isSynced && moved.writtenBytes > 0 && moved.writtenBytes < minBytes)
    return { ...known, share: null, reason: 'the kernel does not count so little that waits to be written' };
  // The host's dirty bytes are too few if others' were written or deleted meanwhile.
  const reachedBytes = Math.min(
    io.writtenBytes - (dirtyBytes ?? 0),
    deviceLimit({ ...counters, io }, target).writtenBytes,
  );
  return { ...known, share: clampedShare(reachedBytes, moved.writtenBytes) };
}

/** Not more than the device itself moved, if all of the directory is on it. */
function deviceLimit(
  { io, disk }: { readonly io: IoBytes; readonly disk: IoBytes | null },
  target: TargetContext,
): IoBytes {
  return disk === null || maySpanDevices(target) ? io : disk;
}

/** The kernel counts dirty pages for the whole host, so those of other programs are among them. */
function computeDirtyBytes(
  moved: IoBytes,
  { direct, fsync }: DeviceTransfer,
  newDirtyBytes: number | null,
): number | null {
  // Direct writes leave nothing in the cache; what counts there are the pages of a loop device's image.
  if (direct) return null;
  // The sync is part of the measured time.
  if (fsync && moved.readBytes === 0) return 0;
  return newDirtyBytes === null ? null : Math.min(newDirtyBytes, moved.writtenBytes);
}

/** A filesystem may accept O_DIRECT and still use the cache: then the device has done less. */
function directShare(
  moved: IoBytes,
  touchedBytes: number,
  counters: { readonly io: IoBytes; readonly disk: IoBytes | null },
  target: TargetContext,
): number {
  const { io } = counters;
  const limit = deviceLimit(counters, target);
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

/** At most 1, although the kernel may count more: it reads ahead, and reads metadata. */
function clampedShare(servedBytes: number, wantedBytes: number): number {
  return Math.min(1, Math.max(0, servedBytes / wantedBytes));
}

/**
 * How many pages the cache fetches on average, for random offsets: for a read all that it touches, for a write those at
 * its two ends, which it changes only in part.
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
