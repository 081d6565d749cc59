import { readFileSync } from 'node:fs';

/** CPU time since boot, in the kernel's ticks. */
interface Ticks {
  readonly total: number;
  readonly idle: number;
  /** CPU time of this process and its exited children. */
  readonly own: number;
}

/** A result, and the share of the CPU time that other processes used meanwhile; null if unknown. */
export interface LoadSample<T> {
  readonly result: T;
  readonly otherCpuShare: number | null;
}

/** The kernel counts in ticks of 10 ms: with fewer ticks than this, a share would mostly be rounding error. */
const MIN_TICKS = 100;

/** Measures the CPU load of other processes during `run`, because it can distort the result. */
export async function withCpuLoad<T>(run: () => Promise<T>): Promise<LoadSample<T>> {
  const before = readTicks();
  const result = await run();
  const after = readTicks();
  const total = before && after ? after.total - before.total : 0;
  if (!before || !after || total < MIN_TICKS) return { result, otherCpuShare: null };
  const idleOrOwn = after.idle - before.idle + (after.own - before.own);
  return { result, otherCpuShare: Math.max(0, total - idleOrOwn) / total };
}

function readTicks(): Ticks | null {
  try {
    const [user = 0, nice = 0, system = 0, idle = 0, ioWait = 0, irq = 0, softIrq = 0, stolen = 0] = numbers(
      readFileSync('/proc/stat', 'utf8').split('\n', 1).join(),
    );
    // The name in parentheses may contain anything; the times are the 11th to 14th number after it.
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const own = numbers(stat.slice(stat.lastIndexOf(')')))
      .slice(10, 14)
      .reduce((sum, time) => sum + time, 0);
    const total = user + nice + system + idle + ioWait + irq + softIrq + stolen;
    return { total, idle: idle + ioWait, own };
  } catch {
    return null;
  }
}

function numbers(line: string): number[] {
  return [...line.matchAll(/-?\d+/g)].map(Number);
}
