import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { makeDirectory } from './directory.js';

/** Mounts a small filesystem in RAM for one test, with options such as `size=64m,nr_inodes=4`. */
export function mountTmpfs(options: string): string {
  return mount(makeDirectory(), ['-t', 'tmpfs', '-o', options, 'none']);
}

/** Mounts a FUSE view of `source` for one test, served by root; its options may change owners and modes. */
export function mountBindfs(source: string, options: readonly string[]): string {
  const directory = makeDirectory();
  execFileSync('bindfs', [...options, source, directory]);
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', directory]);
  });
  return directory;
}

/** Mounts a filesystem for one test, in which every user can create entries, as in /tmp. */
export function mount(directory: string, args: readonly string[]): string {
  execFileSync('mount', [...args, directory]);
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', directory]);
  });
  chmodSync(directory, 0o1777);
  return directory;
}
