import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { makeDirectory } from './directory.js';
import { mount } from './mounts.js';

/** The tools of `mountThrottled`, for `requireTools`. */
export const THROTTLE_TOOLS = ['root', 'mount', 'umount', 'nbdfuse', 'nbdkit', 'mkfs.ext4'] as const;

/** Mounts an ext4 for one test, on a device with this maximum transfer rate. */
export async function mountThrottled(bitsPerSecond: string): Promise<string> {
  const server = makeDirectory(os.tmpdir());
  const file = path.join(server, 'disk');
  const throttled = ['nbdkit', '--single', '--exit-with-parent', '--filter=rate', 'memory', 'size=512M'];
  const program = spawn('nbdfuse', [file, '--command', ...throttled, `rate=${bitsPerSecond}`], {
    stdio: 'ignore',
  });
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', server]);
    program.kill();
  });
  await vi.waitUntil(() => existsSync(file), { timeout: 20_000 });
  execFileSync('mkfs.ext4', ['-q', '-O', '^has_journal', '-E', 'lazy_itable_init=0', file]);
  return mount(makeDirectory(os.tmpdir()), ['-o', 'loop', file]);
}
