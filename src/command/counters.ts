import { readFile } from 'node:fs/promises';
import type { CommandRun } from '../compare/comparison-schema.js';
import type { Target } from '../machine/machine-schema.js';
import { parseDiskIo, parseDiskOperations } from '../run/kernel/counters.js';
import type { ControlGroup } from '../scratch/control-group.js';

const MICROSECONDS_PER_SECOND = 1_000_000;
/** The time in which any process of the system waits for I/O. */
const SYSTEM_PRESSURE = '/proc/pressure/io';

const NO_IO = { readBytes: 0, writtenBytes: 0 };
const NO_OPERATIONS = { reads: 0, writes: 0 };

/** One reading of the kernel's counters. Null if this system lacks one. */
interface Reading {
  readonly ioWaitSeconds: number | null;
  /** CPU time of the control group. */
  readonly cpuSeconds: number | null;
  /** What the disk did, for any process. */
  readonly deviceReadBytes: number | null;
  readonly deviceWrittenBytes: number | null;
  readonly deviceReads: number | null;
  readonly deviceWrites: number | null;
  /** What this process and its ended children read, and the part of it that a device delivered. */
  readonly processReadBytes: number | null;
  readonly processDeviceBytes: number | null;
}

export async function readCommandCounters(group: ControlGroup | null, target: Target): Promise<Reading> {
  const read = (file: string) => readFile(file, 'utf8').catch(() => '');
  const diskstats = await read('/proc/diskstats');
  const io = await read('/proc/self/io');
  const names = target.disk?.spannedNames ?? (target.disk ? [target.disk.diskstatsName] : []);
  const disk = target.isMemory ? NO_IO : parseDiskIo(diskstats, names);
  const operations = target.isMemory ? NO_OPERATIONS : parseDiskOperations(diskstats, names);
  return {
    ioWaitSeconds: parseIoWait(await read(group?.pressureFile ?? SYSTEM_PRESSURE)),
    cpuSeconds: group && parseSeconds(/^usage_usec (\d+)$/m, await read(group.cpuFile)),
    deviceReadBytes: disk?.readBytes ?? null,
    deviceWrittenBytes: disk?.writtenBytes ?? null,
    deviceReads: operations?.reads ?? null,
    deviceWrites: operations?.writes ?? null,
    processReadBytes: parseCount(/^rchar: (\d+)$/m, io),
    processDeviceBytes: parseCount(/^read_bytes: (\d+)$/m, io),
  };
}

/** Parses the line of the time in which at least one process waited: `some avg10=0.00 … total=9960108242`. */
export function parseIoWait(text: string): number | null {
  return parseSeconds(/^some .*total=(\d+)$/m, text);
}

function parseSeconds(pattern: RegExp, text: string): number | null {
  const microseconds = parseCount(pattern, text);
  return microseconds === null ? null : microseconds / MICROSECONDS_PER_SECOND;
}

function parseCount(pattern: RegExp, text: string): number | null {
  const [, digits] = pattern.exec(text) ?? [];
  return digits === undefined ? null : Number(digits);
}

export function diffReadings(before: Reading, after: Reading): Omit<CommandRun, 'seconds'> {
  const growth = (name: keyof Reading) => {
    const [first, last] = [before[name], after[name]];
    return first === null || last === null ? null : Math.max(0, last - first);
  };
  const readBytes = growth('processReadBytes');
  const fromDevice = growth('processDeviceBytes');
  return {
    cpuSeconds: growth('cpuSeconds'),
    ioWaitSeconds: growth('ioWaitSeconds'),
    deviceReadBytes: growth('deviceReadBytes'),
    deviceWrittenBytes: growth('deviceWrittenBytes'),
    deviceReads: growth('deviceReads'),
    deviceWrites: growth('deviceWrites'),
    // Readahead may read more than was asked for.
    cachedShare: readBytes && fromDevice !== null ? Math.max(0, 1 - fromDevice / readBytes) : null,
  };
}
