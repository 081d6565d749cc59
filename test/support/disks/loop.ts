import { execFileSync } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { GIB } from '../../../src/text/units.js';
import { makeDirectory } from './directory.js';
import { mount } from './mounts.js';

/** The tools for a loop device, apart from the mkfs of its filesystem. */
export const LOOP_TOOLS = ['root', 'mount', 'losetup'];

/** Otherwise ext4 writes its tables some seconds after the mount, and adds I/O to the test's I/O. */
const EAGER_INIT = { ext4: ['-E', 'lazy_itable_init=0,lazy_journal_init=0'], xfs: [], btrfs: [] };

export interface LoopOptions {
  /** Argument of `mount -o`. */
  readonly mountOptions?: string;
  readonly sectorBytes?: 512 | 4096;
  readonly sizeBytes?: number;
  /** Directory of the image. The filesystem may be larger than the free space there. */
  readonly parent?: string;
}

/** Creates a block device for one test. Its sparse image is in the temporary directory and is not cached. */
export function attachLoop(
  sizeBytes: number,
  sectorBytes: 512 | 4096 = 512,
  image: string = path.join(makeDirectory(os.tmpdir()), 'image'),
): string {
  makeImage(image, sizeBytes);
  const attach = ['--find', '--show', '--direct-io=on', '--sector-size', String(sectorBytes), image];
  const device = execFileSync('losetup', attach, { encoding: 'utf8' }).trim();
  onTestFinished(() => {
    execFileSync('losetup', ['--detach', device]);
  });
  return device;
}

/** Mounts a filesystem on a new loop device for one test. */
export function mountLoop(
  filesystem: 'ext4' | 'xfs' | 'btrfs',
  { mountOptions = 'rw', sectorBytes, sizeBytes = GIB, parent = os.tmpdir() }: LoopOptions = {},
): string {
  const device = attachLoop(sizeBytes, sectorBytes, path.join(makeDirectory(parent), 'image'));
  execFileSync(`mkfs.${filesystem}`, ['-q', ...EAGER_INIT[filesystem], device]);
  return mount(makeDirectory(os.tmpdir()), ['-o', mountOptions, device]);
}

/** Mounts an ext4 that becomes read-only after an error, for fault tests. */
export function mountExt4(sizeBytes: number, options: LoopOptions = {}): string {
  return mountLoop('ext4', { ...options, sizeBytes, mountOptions: 'errors=remount-ro' });
}

/** Mounts an ext4 with mount's default loop device, which reads the image through the page cache. */
export function mountCachedLoop(
  sizeBytes: number,
  image = path.join(makeDirectory(os.tmpdir()), 'image'),
): string {
  makeImage(image, sizeBytes);
  execFileSync('mkfs.ext4', ['-qF', image]);
  return mount(makeDirectory(), ['-o', 'loop', image]);
}

function makeImage(file: string, sizeBytes: number): void {
  writeFileSync(file, '');
  truncateSync(file, sizeBytes);
}
