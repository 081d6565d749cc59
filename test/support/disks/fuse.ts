import { execFileSync, spawn } from 'node:child_process';
import os from 'node:os';
import { onTestFinished, vi } from 'vitest';
import { makeDirectory } from './directory.js';

/** The tools of `mountFuse`, for `needs`. */
export const FUSE_TOOLS = ['root', 'bindfs', 'mount'] as const;

/** A filesystem whose program can be stopped, as a file server may stop: then calls on it hang. */
export interface FuseMount {
  readonly dir: string;
  stop(): void;
  resume(): void;
}

/** Mounts it for one test. */
export async function mountFuse(parent = os.tmpdir()): Promise<FuseMount> {
  const [below, dir] = [makeDirectory(os.tmpdir()), makeDirectory(parent)];
  const program = spawn('bindfs', ['-f', '-o', 'direct_io', below, dir], { stdio: 'ignore' });
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', dir]);
  });
  await vi.waitUntil(() => execFileSync('mount', { encoding: 'utf8' }).includes(` ${dir} `), 100_000);
  const resume = () => program.kill('SIGCONT');
  const stop = () => {
    program.kill('SIGSTOP');
    // Before the end of any program that waits for it.
    onTestFinished(() => {
      resume();
    });
  };
  return { dir, stop, resume };
}
