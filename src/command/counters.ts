import { readFile } from 'node:fs/promises';
import type { CommandRun } from '../compare/comparison-schema.js';
import { diffCounters, type KernelCounters, readCounters } from '../run/kernel/counters.js';
import type { ControlGroup } from '../scratch/control-group.js';

const MICROSECONDS_PER_SECOND = 1_000_000;
/** The time in which any process of the system waits for I/O. */
const SYSTEM_PRESSURE = '/proc/pressure/io';
const NO_IO = { readBytes: 0, writtenBytes: 0, readRequests: 0, writeRequests: 0 };

/** The kernel's counters, and those of a command. Null if this system lacks one. */
interface CommandCounters extends KernelCounters {
  readonly ioWaitSeconds: number | null;
  readonly cpuSeconds: number | null;
  /** What this process and its ended children read, from wherever it came. */
  readonly requestedBytes: number | null;
}

export async function readCommandCounters(
  group: ControlGroup | null,
  diskNames: readonly string[],
): Promise<CommandCounters> {
  const count = async (file: string, pattern: RegExp) => {
    const [, digits] = pattern.exec(await readFile(file, 'utf8').catch(() => '')) ?? [];
    return digits === undefined ? null : Number(digits);
  };
  // The line of the time in which at least one process waited: `some avg10=0.00 … total=9960108242`.
  const waitUs = await count(group?.pressureFile ?? SYSTEM_PRESSURE, /^some .*total=(\d+)$/m);
  const cpuUs = group && (await count(group.cpuFile, /^usage_usec (\d+)$/m));
  return {
    ...readCounters(diskNames),
    ioWaitSeconds: waitUs === null ? null : waitUs / MICROSECONDS_PER_SECOND,
    cpuSeconds: cpuUs === null ? null : cpuUs / MICROSECONDS_PER_SECOND,
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
  const requestedBytes = subtract(after.requestedBytes, before.requestedBytes);
  return {
    cpuSeconds: subtract(after.cpuSeconds, before.cpuSeconds),
    ioWaitSeconds: subtract(after.ioWaitSeconds, before.ioWaitSeconds),
    deviceReadBytes: disk?.readBytes ?? null,
    deviceWrittenBytes: disk?.writtenBytes ?? null,
    deviceReads: disk?.readRequests ?? null,
    deviceWrites: disk?.writeRequests ?? null,
    // Readahead may read more than was asked for.
    cachedShare: requestedBytes && io ? Math.max(0, 1 - io.readBytes / requestedBytes) : null,
  };
}

function subtract(last: number | null, first: number | null): number | null {
  return last === null || first === null ? null : last - first;
}
