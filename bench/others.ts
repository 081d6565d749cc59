import { readFileSync } from 'node:fs';

/** CPU time since the start of the machine, in the kernel's ticks. */
interface Ticks {
  readonly all: number;
  readonly idle: number;
  /** Of this process and of its children that have ended. */
  readonly own: number;
}

/** What ran, and how much of the CPUs everybody else took meanwhile; null where the kernel does not tell. */
export interface Watched<T> {
  readonly result: T;
  readonly othersShare: number | null;
}

/** The kernel counts in ticks of 10 ms: of fewer than these, on all CPUs, a share would be made of rounding. */
const FEWEST_TICKS = 100;

/** A figure from a machine of which others took a third says little: whoever reads it has to know. */
export async function watchOthers<T>(run: () => Promise<T>): Promise<Watched<T>> {
  const before = ticks();
  const result = await run();
  const after = ticks();
  const all = before && after ? after.all - before.all : 0;
  if (!before || !after || all < FEWEST_TICKS) return { result, othersShare: null };
  const known = after.idle - before.idle + (after.own - before.own);
  return { result, othersShare: Math.max(0, all - known) / all };
}

function ticks(): Ticks | null {
  try {
    const [user = 0, nice = 0, system = 0, idle = 0, ioWait = 0, irq = 0, softIrq = 0, stolen = 0] = numbers(
      readFileSync('/proc/stat', 'utf8').split('\n', 1).join(),
    );
    // The name in parentheses may hold anything; the times are the eleventh to fourteenth number behind it.
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const own = numbers(stat.slice(stat.lastIndexOf(')')))
      .slice(10, 14)
      .reduce((sum, time) => sum + time, 0);
    const all = user + nice + system + idle + ioWait + irq + softIrq + stolen;
    return { all, idle: idle + ioWait, own };
  } catch {
    return null;
  }
}

function numbers(line: string): number[] {
  return [...line.matchAll(/-?\d+/g)].map(Number);
}
