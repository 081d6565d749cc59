import { execFileSync } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { GIB } from '../../../src/text/units.js';
import { makeDirectory } from './directory.js';
import { mount } from './mount.js';

/** The tools that a loop device needs, besides the mkfs of its filesystem. */
export const LOOP_TOOLS = ['root', 'mount', 'losetup'];

/** Otherwise ext4 writes its tables some seconds after the mount, and the device does more I/O than the test's. */
const AT_ONCE = { ext4: ['-E', 'lazy_itable_init=0,lazy_journal_init=0'], xfs: [], btrfs: [] };

export interface LoopOptions {
  /** As `mount -o` takes them. */
  readonly mountOptions?: string;
  readonly sectorBytes?: 512 | 4096;
  readonly sizeBytes?: number;
}

/** A block device for one test, with a sparse image on the working disk that is not cached. */
export function attachLoop(
  sizeBytes: number,
  sectorBytes: 512 | 4096 = 512,
  image: string = path.join(makeDirectory(os.tmpdir()), 'image'),
): string {
  writeFileSync(image, '');
  truncateSync(image, sizeBytes);
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
  { mountOptions = 'rw', sectorBytes, sizeBytes = GIB }: LoopOptions = {},
): string {
  const device = attachLoop(sizeBytes, sectorBytes);
  execFileSync(`mkfs.${filesystem}`, ['-q', ...AT_ONCE[filesystem], device]);
  return mount(makeDirectory(os.tmpdir()), ['-o', mountOptions, device]);
}

/** The same for faults: an error makes it read-only, and it may claim to be larger than the space in `parent`. */
export function mountExt4(
  sizeBytes: number,
  parent = os.tmpdir(),
  features: readonly string[] = AT_ONCE.ext4,
): string {
  const device = attachLoop(sizeBytes, 512, path.join(makeDirectory(parent), 'image'));
  execFileSync('mkfs.ext4', ['-q', ...features, device]);
  return mount(makeDirectory(), ['-o', 'errors=remount-ro', device]);
}
