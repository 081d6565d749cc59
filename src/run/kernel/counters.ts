import { openSync, readFileSync, readSync } from 'node:fs';
import { diffCounts, parseIo } from '../../../workers/thread-io.js';
import type { Target } from '../../machine/machine-schema.js';
import type { DiskIo } from '../../report/measure/device.js';
import type { PhaseCounters } from '../../report/measure/measurement.js';
import { sum } from '../../report/statistics/statistics.js';
import { KIB, MICROSECONDS_PER_SECOND } from '../../text/units.js';

const OWN_IO = '/proc/self/io';
/** The file has seven short lines. */
const OWN_IO_MAX_BYTES = 4096;

/** Time since boot, summed over all CPUs of the host. */
type HostTicks = ReturnType<typeof parseHostTicks>;

/** /proc/diskstats counts in sectors of this size on every device. */
const DISKSTATS_SECTOR_BYTES = 512;
/** Columns of /proc/diskstats. */
const READS = 3;
const READS_MERGED = 4;
const SECTORS_READ = 5;
const WRITES = 7;
const WRITES_MERGED = 8;
const SECTORS_WRITTEN = 9;

/** Pages still to be written. Since Linux 5.8 NFS pages are in Writeback, and NFS_Unstable is 0. */
const UNWRITTEN = /^(?:Dirty|Writeback|NFS_Unstable): +(\d+) kB$/gm;

/** One reading of the kernel's counters. Counters that this system lacks are null. */
export type KernelCounters = Readonly<ReturnType<typeof readCounters>>;

/** Returns the names in /proc/diskstats of all devices that a filesystem is on. */
export function diskstatsNames({ disk }: Pick<Target, 'disk'>): readonly string[] {
  return disk?.spannedNames ?? (disk ? [disk.diskstatsName] : []);
}

/** Reads all counters. `diskNames` are the devices' names in /proc/diskstats: `vda`. */
export function readCounters(diskNames: readonly string[]) {
  return {
    /** CPU time of all threads of this process, in microseconds. */
    cpu: process.cpuUsage(),
    /**
     * Bytes that this process read from devices or left to be written. The kernel counts a whole page as written when it
     * becomes dirty, and not again while it remains dirty.
     */
    io: parseIo(readOwnIo()),
    /** Page cache data of the whole host that is not yet written. */
    dirtyBytes: parseDirtyBytes(readIfExists('/proc/meminfo')),
    /** What the devices did, for any process. */
    disk: parseDiskIo(readIfExists('/proc/diskstats'), diskNames),
    host: parseHostTicks(readIfExists('/proc/stat')),
  };
}

/** Starts to count. Returns a function that returns the counts since then. */
export function startCounting(target: Pick<Target, 'disk'>): () => PhaseCounters {
  const names = diskstatsNames(target);
  const before = readCounters(names);
  return () => diffCounters(before, readCounters(names));
}

export function diffCounters(before: KernelCounters, after: KernelCounters): PhaseCounters {
  return {
    cpu: {
      userSeconds: (after.cpu.user - before.cpu.user) / MICROSECONDS_PER_SECOND,
      systemSeconds: (after.cpu.system - before.cpu.system) / MICROSECONDS_PER_SECOND,
    },
    io: diffCounts(before.io, after.io),
    newDirtyBytes:
      before.dirtyBytes === null || after.dirtyBytes === null
        ? null
        : Math.max(0, after.dirtyBytes - before.dirtyBytes),
    disk: diffCounts(before.disk, after.disk),
    hostCpu: computeHostShares(before.host, after.host),
  };
}

/** The busy share excludes time that the hypervisor stole. */
function computeHostShares(before: HostTicks, after: HostTicks): PhaseCounters['hostCpu'] {
  if (before === null || after === null) return null;
  // The kernel's documentation warns that iowait may decrease.
  const idleTicks = Math.max(0, after.idleTicks - before.idleTicks);
  const stealTicks = Math.max(0, after.stealTicks - before.stealTicks);
  const busyTicks = Math.max(0, after.busyTicks - before.busyTicks);
  const totalTicks = idleTicks + stealTicks + busyTicks;
  return totalTicks === 0 ? null : { busyShare: busyTicks / totalTicks, stealShare: stealTicks / totalTicks };
}

/** Returns an empty text if this system has no such file. */
function readIfExists(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
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

function readOwnIo(): string {
  if (ownIoDescriptor === null) return readIfExists(OWN_IO);
  const bytes = Buffer.alloc(OWN_IO_MAX_BYTES);
  return bytes.toString('utf8', 0, readSync(ownIoDescriptor, bytes, 0, OWN_IO_MAX_BYTES, 0));
}

/** Parses the lines of /proc/meminfo: `Dirty:               176 kB`. */
export function parseDirtyBytes(text: string): number | null {
  const kibibytes = [...text.matchAll(UNWRITTEN)].map(([, digits]) => Number(digits));
  return kibibytes.length === 0 ? null : sum(kibibytes) * KIB;
}

/**
 * Sums the devices' lines of /proc/diskstats: `254 0 vda 278206 198928 20114842 99979 15644 33249 4981032 8943 0 …`. Null
 * without devices, or if one has no line.
 */
export function parseDiskIo(text: string, diskNames: readonly string[]): DiskIo | null {
  const rows = text.split('\n').map((line) => line.trim().split(/ +/));
  const disks = diskNames.map((diskName) => rows.find(([, , name]) => name === diskName)?.map(Number) ?? []);
  if (disks.length === 0 || disks.some(({ length }) => length <= SECTORS_WRITTEN)) return null;
  const total = (column: number) => sum(disks.map((columns) => columns[column] ?? 0));
  return {
    readBytes: total(SECTORS_READ) * DISKSTATS_SECTOR_BYTES,
    writtenBytes: total(SECTORS_WRITTEN) * DISKSTATS_SECTOR_BYTES,
    readRequests: total(READS) + total(READS_MERGED),
    writeRequests: total(WRITES) + total(WRITES_MERGED),
  };
}

/** Parses the first line of /proc/stat: `cpu  user nice system idle iowait irq softirq steal guest guest_nice`. */
export function parseHostTicks(text: string) {
  const fields = /^cpu +([\d ]+)$/m.exec(text)?.[1];
  if (fields === undefined) return null;
  // The guest time after these eight fields is already in user and nice.
  const ticks = fields.split(' ').slice(0, 8).map(Number);
  const [, , , idle = 0, iowait = 0, , , steal = 0] = ticks;
  /** Includes waiting for a device. */
  const idleTicks = idle + iowait;
  // The hypervisor has stolen some time for other guests.
  return { busyTicks: sum(ticks) - idleTicks - steal, idleTicks, stealTicks: steal };
}
