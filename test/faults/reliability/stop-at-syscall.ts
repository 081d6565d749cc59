import { existsSync, readFileSync } from 'node:fs';
import { vi } from 'vitest';
import type { StartedProcess } from '../../support/programs/program.js';
import type { InjectionPoint } from './injection-point.js';

const TIMEOUT_MS = 30_000;

/** Returns the prefix of a command that then stops at an exact system call, however busy the machine is. */
export function stopAtSyscall({ call, number }: InjectionPoint, log: string): readonly string[] {
  // With -D, strace is a grandchild and the command itself is the child.
  const trace = ['-D', '-f', '-qq', '-o', log, '-e', `trace=${call}`];
  return ['strace', ...trace, '-e', `inject=${call}:signal=SIGSTOP:when=${number}`];
}

/** Resolves when the program is stopped. */
export async function untilStopped({ exitResult }: StartedProcess, log: string): Promise<void> {
  const early = exitResult.then(({ stderr }) => {
    throw new Error(`the program ended before it was stopped: ${stderr}`);
  });
  // The program may also end after the stop.
  early.catch(() => {});
  const isStopped = () => existsSync(log) && readFileSync(log, 'utf8').includes('stopped by SIGSTOP');
  await Promise.race([vi.waitUntil(isStopped, { timeout: TIMEOUT_MS, interval: 5 }), early]);
}
