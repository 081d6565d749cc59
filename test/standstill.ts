import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const PATIENCE_MS = 30_000;
/** epoll_pwait, in which Node's main thread waits for whatever comes. */
const WAIT_NUMBERS: Partial<Record<NodeJS.Architecture, string>> = { x64: '281', arm64: '22' };

/**
 * Stops a program for so long, from a moment in which its main thread waits. In any other, in a collection of garbage,
 * say, it is not known what kept that thread.
 */
export async function standStill(pid: number, forMs: number): Promise<void> {
  const giveUpMs = performance.now() + PATIENCE_MS;
  while (!(await stopsAsItWaits(pid))) {
    process.kill(pid, 'SIGCONT');
    if (performance.now() > giveUpMs) throw new Error(`the main thread of ${pid} was never met waiting`);
    await wait(10);
  }
  await wait(forMs);
  process.kill(pid, 'SIGCONT');
}

async function stopsAsItWaits(pid: number): Promise<boolean> {
  process.kill(pid, 'SIGSTOP');
  while (!/\) T/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))) await wait(1);
  const [number, , , , timeoutMs] = readFileSync(`/proc/${pid}/syscall`, 'utf8').split(' ');
  return number === WAIT_NUMBERS[process.arch] && timeoutMs !== '0x0';
}
