import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { makeDirectory } from './directory.js';
import { mount } from './mounts.js';

export const NBD_TOOLS = ['root', 'mount', 'umount', 'losetup', 'nbdfuse', 'nbdkit', 'mkfs.ext4'] as const;

/** Attaches a disk for one test that nbdkit serves with these arguments. Direct I/O reaches the server. */
export async function attachNbd(...args: readonly string[]) {
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
  /** Sends a signal to the server of the disk, for example to stop it. */
  const signal = (name: NodeJS.Signals) => program.kill(name);
  return { device, signal };
}

/** Mounts an ext4 on a disk that nbdkit serves, for one test. */
export async function mountNbd(...args: readonly string[]) {
  const { device, signal } = await attachNbd(...args);
  // All tables are at the beginning, where a disk that is smaller than it says still keeps them.
  const options = [
    '-b',
    '4096',
    '-O',
    '^has_journal,sparse_super2',
    '-E',
    'lazy_itable_init=0,num_backup_sb=0',
  ];
  execFileSync('mkfs.ext4', ['-q', ...options, device]);
  return { dir: mount(makeDirectory(os.tmpdir()), [device]), signal };
}
