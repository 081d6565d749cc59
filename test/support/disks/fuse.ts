import { execFileSync, spawn } from 'node:child_process';
import os from 'node:os';
import { onTestFinished, vi } from 'vitest';
import { makeDirectory } from './directory.js';

/** The tools of `mountFuse`, for `requireTools`. */
export const FUSE_TOOLS = ['root', 'bindfs', 'mount'] as const;

/** A FUSE filesystem whose server can be stopped, which makes calls on it hang. */
export interface FuseMount {
  readonly dir: string;
  stop(): void;
  resume(): void;
}

/** Mounts a FUSE filesystem for one test. */
export async function mountFuse(parent = os.tmpdir()): Promise<FuseMount> {
  const source = makeDirectory(os.tmpdir());
  const dir = makeDirectory(parent);
  const program = spawn('bindfs', ['-f', '-o', 'direct_io', source, dir], { stdio: 'ignore' });
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', dir]);
  });
  await vi.waitUntil(() => execFileSync('mount', { encoding: 'utf8' }).includes(` ${dir} `), 100_000);
  const resume = () => program.kill('SIGCONT');
  const stop = () => {
    program.kill('SIGSTOP');
    // Runs before the handlers that wait for a program on this filesystem.
    onTestFinished(() => {
      resume();
    });
  };
  return { dir, stop, resume };
}
