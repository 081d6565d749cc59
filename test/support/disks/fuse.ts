import { execFileSync, spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { ROOT } from '../root.js';
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
  await waitForMount(dir);
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

const PYTHON = '/usr/bin/python3';
const QUEUE_DISK = path.join(ROOT, 'test/support/disks/queue-disk.py');
/** The tools of `mountQueueDisk`, for `requireTools`. */
export const QUEUE_DISK_TOOLS = [
  'root',
  PYTHON,
  '/usr/lib/python3/dist-packages/fusepy.py',
  'mount',
] as const;

/** Mounts a disk for one test that serves one read at a time, each in this time, in the order of arrival or small reads first. */
export async function mountQueueDisk(order: 'arrival' | 'size', seconds: number): Promise<string> {
  const dir = makeDirectory(os.tmpdir());
  const args = [QUEUE_DISK, makeDirectory(os.tmpdir()), dir, order, String(seconds)];
  spawn(PYTHON, args, { stdio: 'ignore' });
  await waitForMount(dir);
  return dir;
}

/** Waits until a server has mounted its filesystem, which is unmounted after the test. */
async function waitForMount(dir: string): Promise<void> {
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', dir]);
  });
  await vi.waitUntil(() => execFileSync('mount', { encoding: 'utf8' }).includes(` ${dir} `), 100_000);
}
