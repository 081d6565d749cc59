import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { CommandRun } from '../compare/comparison-schema.js';
import { diffCounters, type KernelCounters, readCounters } from '../run/kernel/counters.js';
import { PRESSURE_FILE } from '../scratch/processes.js';
import { MICROSECONDS_PER_SECOND } from '../text/units.js';

/** The time in which any process of the system waits for I/O. */
const SYSTEM_PRESSURE = '/proc/pressure/io';
const NO_IO = { readBytes: 0, writtenBytes: 0, readRequests: 0, writeRequests: 0 };

/** The kernel's counters, and those of a command. Null if this system lacks one. */
interface CommandCounters extends KernelCounters {
  readonly ioWaitUs: number | null;
  readonly cpuUs: number | null;
  readonly systemCpuUs: number | null;
  /** What this process and its ended children read, from wherever it came. */
  readonly requestedBytes: number | null;
}

export async function readCommandCounters(
  group: string | null,
  diskNames: readonly string[],
): Promise<CommandCounters> {
  const count = async (file: string, pattern: RegExp) => {
    const [, digits] = pattern.exec(await readFile(file, 'utf8').catch(() => '')) ?? [];
    return digits === undefined ? null : Number(digits);
  };
  const countCpu = async (pattern: RegExp) =>
    group === null ? null : count(path.join(group, 'cpu.stat'), pattern);
  const pressureFile = group === null ? SYSTEM_PRESSURE : path.join(group, PRESSURE_FILE);
  return {
    ...readCounters(diskNames),
    // The line of the time in which at least one process waited: `some avg10=0.00 … total=9960108242`.
    ioWaitUs: await count(pressureFile, /^some .*total=(\d+)$/m),
    cpuUs: await countCpu(/^usage_usec (\d+)$/m),
    systemCpuUs: await countCpu(/^system_usec (\d+)$/m),
    requestedBytes: await count('/proc/self/io', /^rchar: (\d+)$/m),
  };
}

/** `isMemory`: for a side without a disk. */
export function diffCommandCounters(
  before: CommandCounters,
  after: CommandCounters,
  isMemory: boolean,
): Omit<CommandRun, 'seconds'> {
  const { io, disk: counted } = diffCounters(before, after);
  const disk = isMemory ? NO_IO : counted;
  const growth = (name: 'ioWaitUs' | 'cpuUs' | 'systemCpuUs' | 'requestedBytes', unit: number) => {
    const first = before[name];
    const last = after[name];
    return last === null || first === null ? null : (last - first) / unit;
  };
  const requestedBytes = growth('requestedBytes', 1);
  return {
    cpuSeconds: growth('cpuUs', MICROSECONDS_PER_SECOND),
    systemCpuSeconds: growth('systemCpuUs', MICROSECONDS_PER_SECOND),
    ioWaitSeconds: growth('ioWaitUs', MICROSECONDS_PER_SECOND),
    deviceReadBytes: disk?.readBytes ?? null,
    deviceWrittenBytes: disk?.writtenBytes ?? null,
    deviceReads: disk?.readRequests ?? null,
    deviceWrites: disk?.writeRequests ?? null,
    // Readahead may read more than was asked for. On a side in memory, only the programs come from a disk.
    cachedShare: requestedBytes && io && !isMemory ? Math.max(0, 1 - io.readBytes / requestedBytes) : null,
  };
}
