import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { vi } from 'vitest';
import { isStopped } from './process-state.js';

const TIMEOUT_MS = 100_000;
/** Numbers of epoll_pwait, in which Node's main thread waits for events. */
const WAIT_NUMBERS: Partial<Record<NodeJS.Architecture, string>> = { x64: '281', arm64: '22' };

/**
 * Stops a program for `durationMs` while its main thread waits for events. At any other time, something other than the
 * stop could delay the thread, for example garbage collection.
 */
export async function suspendFor(pid: number, durationMs: number): Promise<void> {
  await vi.waitUntil(() => stopIfWaiting(pid), { timeout: TIMEOUT_MS, interval: 10 });
  await wait(durationMs);
  process.kill(pid, 'SIGCONT');
}

/** Stops the program if its main thread waits; returns true if it did. */
async function stopIfWaiting(pid: number): Promise<boolean> {
  process.kill(pid, 'SIGSTOP');
  await vi.waitUntil(() => isStopped(pid), { timeout: TIMEOUT_MS, interval: 1 });
  const [number, , , , timeoutMs] = readFileSync(`/proc/${pid}/syscall`, 'utf8').split(' ');
  const isWaiting = number === WAIT_NUMBERS[process.arch] && timeoutMs !== '0x0';
  if (!isWaiting) process.kill(pid, 'SIGCONT');
  return isWaiting;
}
