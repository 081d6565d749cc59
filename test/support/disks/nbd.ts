import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { makeDirectory } from './directory.js';
import { mount } from './mounts.js';

export const NBD_TOOLS = ['root', 'mount', 'umount', 'losetup', 'nbdfuse', 'nbdkit', 'mkfs.ext4'] as const;

export interface NbdDisk {
  readonly dir: string;
  /** Sends a signal to the server of the disk, for example to stop it. */
  signal(name: NodeJS.Signals): void;
}

/** Mounts an ext4 for one test, on a disk that nbdkit serves with these arguments. Direct I/O reaches the server. */
export async function mountNbd(...args: readonly string[]): Promise<NbdDisk> {
  const server = makeDirectory(os.tmpdir());
  const file = path.join(server, 'disk');
  const program = spawn('nbdfuse', [file, '--command', 'nbdkit', '--single', '--exit-with-parent', ...args], {
    stdio: 'ignore',
  });
  onTestFinished(() => {
    program.kill('SIGCONT');
    execFileSync('umount', ['--lazy', server]);
    program.kill();
  });
  await vi.waitUntil(() => existsSync(file), { timeout: 20_000 });
  const attach = ['--find', '--show', '--direct-io=on', file];
  const device = execFileSync('losetup', attach, { encoding: 'utf8' }).trim();
  onTestFinished(() => {
    execFileSync('losetup', ['--detach', device]);
  });
  execFileSync('mkfs.ext4', ['-q', '-O', '^has_journal', '-E', 'lazy_itable_init=0', device]);
  const dir = mount(makeDirectory(os.tmpdir()), [device]);
  return { dir, signal: (name) => program.kill(name) };
}
