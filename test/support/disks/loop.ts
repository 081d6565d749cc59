import { execFileSync } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { GIB } from '../../../src/text/units.js';
import { makeDirectory } from './directory.js';
import { mount } from './mounts.js';

/** The tools that a loop device needs, besides the mkfs of its filesystem. */
export const LOOP_TOOLS = ['root', 'mount', 'losetup'];

/** Otherwise ext4 writes its tables some seconds after the mount, and the device does more I/O than the test's. */
const EAGER_INIT = { ext4: ['-E', 'lazy_itable_init=0,lazy_journal_init=0'], xfs: [], btrfs: [] };

export interface LoopOptions {
  /** As `mount -o` takes them. */
  readonly mountOptions?: string;
  readonly sectorBytes?: 512 | 4096;
  readonly sizeBytes?: number;
  /** Where its image is; the filesystem may claim to be larger than the space there. */
  readonly parent?: string;
  /** As mkfs takes them. */
  readonly features?: readonly string[];
}

/** A block device for one test, with a sparse image on the working disk that is not cached. */
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

/** A filesystem on a device of its own for one test. */
export function mountLoop(
  filesystem: 'ext4' | 'xfs' | 'btrfs',
  {
    mountOptions = 'rw',
    sectorBytes,
    sizeBytes = GIB,
    parent = os.tmpdir(),
    features = EAGER_INIT[filesystem],
  }: LoopOptions = {},
): string {
  const device = attachLoop(sizeBytes, sectorBytes, path.join(makeDirectory(parent), 'image'));
  execFileSync(`mkfs.${filesystem}`, ['-q', ...features, device]);
  return mount(makeDirectory(os.tmpdir()), ['-o', mountOptions, device]);
}

/** One that an error makes read-only, for faults. */
export function mountExt4(sizeBytes: number, options: LoopOptions = {}): string {
  return mountLoop('ext4', { ...options, sizeBytes, mountOptions: 'errors=remount-ro' });
}

/** One as `mount` makes it: its device reads the image through the page cache. */
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
