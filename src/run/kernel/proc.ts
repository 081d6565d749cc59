import type { IoBytes } from '../../report/measure/device.js';
import { KIB } from '../../text/units.js';

/** Time since boot, summed over all CPUs of the host. */
export interface HostTicks {
  readonly busyTicks: number;
  /** Includes waiting for a device. */
  readonly idleTicks: number;
  /** Stolen by the hypervisor for other guests. */
  readonly stealTicks: number;
}

/** /proc/diskstats counts in sectors of this size on every device. */
const DISKSTATS_SECTOR_BYTES = 512;

/** Pages still to be written. Since Linux 5.8 NFS pages are in Writeback, and NFS_Unstable is 0. */
const UNWRITTEN = /^(?:Dirty|Writeback|NFS_Unstable): +(\d+) kB$/gm;

/** Parses the lines of /proc/self/io: `read_bytes: 4096`. */
export function parseProcessIo(text: string | null): IoBytes | null {
  const readBytes = /^read_bytes: (\d+)$/m.exec(text ?? '')?.[1];
  const writtenBytes = /^write_bytes: (\d+)$/m.exec(text ?? '')?.[1];
  if (readBytes === undefined || writtenBytes === undefined) return null;
  return { readBytes: Number(readBytes), writtenBytes: Number(writtenBytes) };
}

/** Parses the lines of /proc/meminfo: `Dirty:               176 kB`. */
export function parseDirtyBytes(text: string | null): number | null {
  const found = [...(text ?? '').matchAll(UNWRITTEN)];
  if (found.length === 0) return null;
  return found.reduce((total, [, kibibytes]) => total + Number(kibibytes) * KIB, 0);
}

/** Parses the device's line of /proc/diskstats: `254 0 vda 278206 198928 20114842 99979 15644 33249 4981032 8943 0 …`. */
export function parseDiskIo(text: string | null, diskName: string): IoBytes | null {
  for (const line of (text ?? '').split('\n')) {
    const [, , name, , , sectorsRead, , , , sectorsWritten] = line.trim().split(/ +/);
    if (name !== diskName || sectorsWritten === undefined) continue;
    return {
      readBytes: Number(sectorsRead) * DISKSTATS_SECTOR_BYTES,
      writtenBytes: Number(sectorsWritten) * DISKSTATS_SECTOR_BYTES,
    };
  }
  return null;
}

/** Parses the first line of /proc/stat: `cpu  user nice system idle iowait irq softirq steal guest guest_nice`. */
export function parseHostTicks(text: string | null): HostTicks | null {
  const fields = /^cpu +([\d ]+)$/m.exec(text ?? '')?.[1];
  if (fields === undefined) return null;
  // The guest time after these eight fields is already in user and nice.
  const ticks = fields.split(' ').slice(0, 8).map(Number);
  const [, , , idle = 0, iowait = 0, , , steal = 0] = ticks;
  const idleTicks = idle + iowait;
  const totalTicks = ticks.reduce((total, count) => total + count, 0);
  return { busyTicks: totalTicks - idleTicks - steal, idleTicks, stealTicks: steal };
}
