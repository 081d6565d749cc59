import { openSync, readFileSync, readSync } from 'node:fs';
import type { IoBytes } from '../../report/measure/device.js';
import type { PhaseCounters } from '../../report/measure/measurement.js';
import { type HostTicks, parseDirtyBytes, parseDiskIo, parseHostTicks, parseProcessIo } from './proc.js';

const MICROSECONDS_PER_SECOND = 1_000_000;
const OWN_IO = '/proc/self/io';
/** The file has seven short lines. */
const OWN_IO_MAX_BYTES = 4096;

/** One reading of the kernel's counters. What this system does not count is null. */
export interface KernelCounters {
  readonly atNs: bigint;
  /** Of this process, all threads included. */
  readonly cpu: PhaseCounters['cpu'];
  /**
   * Read from devices by this process, and left to be written to them. The kernel counts a whole page as written when
   * it becomes dirty, and not again while it stays dirty.
   */
  readonly io: IoBytes | null;
  /** Waits in memory to be written, on the whole host. */
  readonly dirtyBytes: number | null;
  /** Moved by one device, for any process. */
  readonly disk: IoBytes | null;
  readonly host: HostTicks | null;
}

/** `diskName` is as in /proc/diskstats: `vda`. */
export function readCounters(diskName: string | null): KernelCounters {
  const usage = process.cpuUsage();
  return {
    atNs: process.hrtime.bigint(),
    cpu: {
      userSeconds: usage.user / MICROSECONDS_PER_SECOND,
      systemSeconds: usage.system / MICROSECONDS_PER_SECOND,
    },
    io: parseProcessIo(readOwnIo()),
    dirtyBytes: parseDirtyBytes(readIfExists('/proc/meminfo')),
    disk: diskName === null ? null : parseDiskIo(readIfExists('/proc/diskstats'), diskName),
    host: parseHostTicks(readIfExists('/proc/stat')),
  };
}

/** The difference between two readings. */
export function diffCounters(before: KernelCounters, after: KernelCounters): PhaseCounters {
  return {
    cpu: {
      userSeconds: atLeastZero(after.cpu.userSeconds - before.cpu.userSeconds),
      systemSeconds: atLeastZero(after.cpu.systemSeconds - before.cpu.systemSeconds),
    },
    io: diffIoBytes(before.io, after.io),
    newDirtyBytes:
      before.dirtyBytes === null || after.dirtyBytes === null
        ? null
        : atLeastZero(after.dirtyBytes - before.dirtyBytes),
    disk: diffIoBytes(before.disk, after.disk),
    hostCpu: computeHostShares(before.host, after.host),
  };
}

/** Null also for a device that was removed and came back, as its counters start again. */
function diffIoBytes(before: IoBytes | null, after: IoBytes | null): IoBytes | null {
  if (before === null || after === null) return null;
  const readBytes = after.readBytes - before.readBytes;
  const writtenBytes = after.writtenBytes - before.writtenBytes;
  return readBytes < 0 || writtenBytes < 0 ? null : { readBytes, writtenBytes };
}

/** The busy share is without what the hypervisor took away. */
function computeHostShares(before: HostTicks | null, after: HostTicks | null): PhaseCounters['hostCpu'] {
  if (before === null || after === null) return null;
  // The kernel says that iowait may go backwards.
  const idleTicks = atLeastZero(after.idleTicks - before.idleTicks);
  const stealTicks = atLeastZero(after.stealTicks - before.stealTicks);
  const busyTicks = atLeastZero(countBusyTicks(after) - countBusyTicks(before));
  const totalTicks = idleTicks + stealTicks + busyTicks;
  return totalTicks === 0 ? null : { busyShare: busyTicks / totalTicks, stealShare: stealTicks / totalTicks };
}

function countBusyTicks({ totalTicks, idleTicks, stealTicks }: HostTicks): number {
  return totalTicks - idleTicks - stealTicks;
}

function atLeastZero(value: number): number {
  return Math.max(0, value);
}

function readIfExists(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

let ownIoDescriptor: number | null = null;

/** Keeps /proc/self/io open: after a change of user it could not be opened any more. */
export function keepOwnIoOpen(): void {
  try {
    ownIoDescriptor ??= openSync(OWN_IO, 'r');
  } catch {
    // This system has none.
  }
}

/** The kernel's I/O counters of this process; null if it has none. */
export function readOwnIo(): string | null {
  try {
    if (ownIoDescriptor === null) return readFileSync(OWN_IO, 'utf8');
    const bytes = Buffer.alloc(OWN_IO_MAX_BYTES);
    return bytes.toString('utf8', 0, readSync(ownIoDescriptor, bytes, 0, OWN_IO_MAX_BYTES, 0));
  } catch {
    return null;
  }
}
