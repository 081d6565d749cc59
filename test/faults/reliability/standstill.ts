import { existsSync, readFileSync } from 'node:fs';
import { vi } from 'vitest';
import type { Started } from '../../support/program.js';
import type { Moment } from './moment.js';

const PATIENCE_MS = 30_000;

/** What runs a command so that it stops itself at a moment: exactly there, however busy the machine is. */
export function holderAt({ call, number }: Moment, log: string): readonly string[] {
  // As a grandchild (-D) strace leaves the command to be the child.
  const trace = ['-D', '-f', '-qq', '-o', log, '-e', `trace=${call}`];
  return ['strace', ...trace, '-e', `inject=${call}:signal=SIGSTOP:when=${number}`];
}

/** Resolves when it stands still. */
export async function standingStill({ ended }: Started, log: string): Promise<void> {
  const early = ended.then(({ stderr }) => {
    throw new Error(`it ended before the moment came: ${stderr}`);
  });
  // That it ends later is none of this.
  early.catch(() => {});
  const stands = () => existsSync(log) && readFileSync(log, 'utf8').includes('stopped by SIGSTOP');
  await Promise.race([vi.waitUntil(stands, { timeout: PATIENCE_MS, interval: 5 }), early]);
}
