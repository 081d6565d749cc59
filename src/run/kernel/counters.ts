import { openSync, readFileSync, readSync } from 'node:fs';
import type { IoBytes } from '../../report/measure/device.js';
import type { PhaseCounters } from '../../report/measure/measurement.js';
import { type HostTicks, parseDirtyBytes, parseDiskIo, parseHostTicks, parseProcessIo } from './proc.js';

const MICROSECONDS_PER_SECOND = 1_000_000;
const OWN_IO = '/proc/self/io';
/** The file has seven short lines. */
const OWN_IO_MAX_BYTES = 4096;

/** One reading of the kernel's counters. Counters that this system lacks are null. */
export interface KernelCounters {
  /** CPU time of all threads of this process. */
  readonly cpu: PhaseCounters['cpu'];
  /**
   * Bytes that this process read from devices or left to be written. The kernel counts a whole page as written when it
   * becomes dirty, and not again while it remains dirty.
   */
  readonly io: IoBytes | null;
  /** Page cache data of the whole host that is not yet written. */
  readonly dirtyBytes: number | null;
  /** Bytes that the device moved, for any process. */
  readonly disk: IoBytes | null;
  readonly host: HostTicks | null;
}

/** Reads all counters. `diskName` is the device's name in /proc/diskstats: `vda`. */
export function readCounters(diskName: string | null): KernelCounters {
  const usage = process.cpuUsage();
  return {
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

/** Returns the difference between two readings. */
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

/** Also null for a device that was removed and came back, because its counters restart at 0. */
function diffIoBytes(before: IoBytes | null, after: IoBytes | null): IoBytes | null {
  if (before === null || after === null) return null;
  const readBytes = after.readBytes - before.readBytes;
  const writtenBytes = after.writtenBytes - before.writtenBytes;
  return readBytes < 0 || writtenBytes < 0 ? null : { readBytes, writtenBytes };
}

/** The busy share excludes time that the hypervisor stole. */
function computeHostShares(before: HostTicks | null, after: HostTicks | null): PhaseCounters['hostCpu'] {
  if (before === null || after === null) return null;
  // The kernel's documentation warns that iowait may decrease.
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

/** Keeps /proc/self/io open: after a change of user, opening it would fail. */
export function keepOwnIoOpen(): void {
  try {
    ownIoDescriptor ??= openSync(OWN_IO, 'r');
  } catch {
    // This system has no such file.
  }
}

/** Returns the kernel's I/O counters of this process. Null if this system has none. */
function readOwnIo(): string | null {
  try {
    if (ownIoDescriptor === null) return readFileSync(OWN_IO, 'utf8');
    const bytes = Buffer.alloc(OWN_IO_MAX_BYTES);
    return bytes.toString('utf8', 0, readSync(ownIoDescriptor, bytes, 0, OWN_IO_MAX_BYTES, 0));
  } catch {
    return null;
  }
}
