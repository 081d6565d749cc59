import type { Disk } from '../machine/machine-schema.js';
import type { Measurement } from '../report/schema/measurement-schema.js';
import { NS_PER_MS, NS_PER_US } from '../text/units.js';

/** In these phases an operation makes a single sync, apart from checkpoints. */
const SINGLE_SYNC_PHASES: readonly string[] = ['commit-wal', 'commit-etcd', 'commit-etcd-overwrite'];
/** Other transports may be those of virtual disks, which report a hard disk without being one. */
const PHYSICAL_TRANSPORTS: readonly unknown[] = ['sata', 'usb'];
const NO_BARRIER_OPTIONS = ['nobarrier', 'barrier=0'] as const;
/** A hard disk waits for its platter, which takes 4 ms on average at 7,200 revolutions a minute. */
export const MIN_HARD_DISK_SYNC_NS = NS_PER_MS;
/** The write and the flush that follows it are two commands, of which each takes about 10 µs without any work. */
export const MIN_FLUSH_NS = 20 * NS_PER_US;

interface SyncTarget {
  readonly isMemory: boolean;
  readonly mountOptions: readonly string[];
  readonly disk?: Disk | null | undefined;
}

/** Returns why a sync cannot have made data durable. Null if nothing shows that. */
export function whySyncIsTooFast(
  { phase, latencyNs }: Pick<Measurement, 'phase' | 'latencyNs'>,
  { isMemory, mountOptions, disk }: SyncTarget,
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
