import { readFileSync } from 'node:fs';
import { readOwnIo } from './own-io.js';
import { type HostTicks, parseDirtyBytes, parseDisk, parseHostTicks, parseIo, type Traffic } from './proc.js';

const MICROSECONDS_PER_SECOND = 1_000_000;

export interface CpuTime {
  readonly userSeconds: number;
  readonly systemSeconds: number;
}

/** One reading of what the kernel counts. What it does not tell here is null. */
export interface Accounts {
  readonly atNs: bigint;
  /** Of this process with all its threads. */
  readonly cpu: CpuTime;
  /**
   * What this process with all its threads had fetched from devices, and what it left to be written to them. The kernel
   * counts a whole page as written when it becomes dirty, and not again while it stays dirty.
   */
  readonly io: Traffic | null;
  /** What waits in the memory of the whole host to be written. */
  readonly dirtyBytes: number | null;
  /** What one device served, whoever asked it. */
  readonly disk: Traffic | null;
  readonly host: HostTicks | null;
}

/** Fractions of the time of all processors. */
export interface HostShares {
  /** What the host itself worked; what was stolen from it is not in it. */
  readonly busyShare: number;
  readonly stealShare: number;
}

/** What was counted between two readings. */
export interface Spent {
  readonly cpu: CpuTime;
  readonly io: Traffic | null;
  /** By how much more waits to be written. */
  readonly newDirtyBytes: number | null;
  readonly disk: Traffic | null;
  readonly host: HostShares | null;
}

/** The disk is named as in /proc/diskstats: `vda`. */
export function readAccounts(diskName: string | null): Accounts {
  const usage = process.cpuUsage();
  return {
    atNs: process.hrtime.bigint(),
    cpu: {
      userSeconds: usage.user / MICROSECONDS_PER_SECOND,
      systemSeconds: usage.system / MICROSECONDS_PER_SECOND,
    },
    io: parseIo(readOwnIo()),
    dirtyBytes: parseDirtyBytes(contentOf('/proc/meminfo')),
    disk: diskName === null ? null : parseDisk(contentOf('/proc/diskstats'), diskName),
    host: parseHostTicks(contentOf('/proc/stat')),
  };
}

export function spentBetween(before: Accounts, after: Accounts): Spent {
  return {
    cpu: {
      userSeconds: atLeastZero(after.cpu.userSeconds - before.cpu.userSeconds),
      systemSeconds: atLeastZero(after.cpu.systemSeconds - before.cpu.systemSeconds),
    },
    io: trafficBetween(before.io, after.io),
    newDirtyBytes:
      before.dirtyBytes === null || after.dirtyBytes === null
        ? null
        : atLeastZero(after.dirtyBytes - before.dirtyBytes),
    disk: trafficBetween(before.disk, after.disk),
    host: sharesBetween(before.host, after.host),
  };
}

/** Null as well for a device that went away and came back: it counts anew. */
function trafficBetween(before: Traffic | null, after: Traffic | null): Traffic | null {
  if (before === null || after === null) return null;
  const readBytes = after.readBytes - before.readBytes;
  const writtenBytes = after.writtenBytes - before.writtenBytes;
  return readBytes < 0 || writtenBytes < 0 ? null : { readBytes, writtenBytes };
}

function sharesBetween(before: HostTicks | null, after: HostTicks | null): HostShares | null {
  if (before === null || after === null) return null;
  // The time spent waiting is the one count that may go backwards: the kernel says so of iowait.
  const idleTicks = atLeastZero(after.idleTicks - before.idleTicks);
  const stealTicks = atLeastZero(after.stealTicks - before.stealTicks);
  const busyTicks = atLeastZero(busyTicksOf(after) - busyTicksOf(before));
  const totalTicks = idleTicks + stealTicks + busyTicks;
  return totalTicks === 0 ? null : { busyShare: busyTicks / totalTicks, stealShare: stealTicks / totalTicks };
}

function busyTicksOf({ totalTicks, idleTicks, stealTicks }: HostTicks): number {
  return totalTicks - idleTicks - stealTicks;
}

function atLeastZero(value: number): number {
  return Math.max(0, value);
}

function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
