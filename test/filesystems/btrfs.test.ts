import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { inspectMachine } from '../../src/machine/machine.js';
import { MIB } from '../../src/text/units.js';
import { makeDirectory } from '../support/disks/directory.js';
import { attachLoop, LOOP_TOOLS, mountLoop } from '../support/disks/loop.js';
import { mount, mountTmpfs } from '../support/disks/mounts.js';
import { requireTools } from '../support/tools.js';
import { deviceShare, measureFilesystem } from './measure-filesystem.js';

beforeEach(requireTools('/proc/self/io', ...LOOP_TOOLS, 'mkfs.btrfs', 'btrfs'));

/** Mounts a btrfs that stripes its data over two devices. */
function mountStripe(secondImage?: string): string {
  const devices = [attachLoop(256 * MIB), attachLoop(256 * MIB, 512, secondImage)] as const;
  execFileSync('mkfs.btrfs', ['-q', '--data', 'raid0', ...devices]);
  execFileSync('btrfs', ['device', 'scan', ...devices]);
  return mount(makeDirectory(os.tmpdir()), [devices[0]]);
}

test('the requests of both devices of a btrfs count', async () => {
  const { report } = await measureFilesystem(mountStripe(), ['--direct', '--io-size', '4k']);
  expect(report.target.disk?.spannedNames).toHaveLength(2);
  for (const phase of ['write', 'read', 'iops'])
    expect(deviceShare(report, phase)).toBeGreaterThanOrEqual(0.99);
});

test('a btrfs with one of two devices in RAM counts as in memory', async () => {
  const image = path.join(mountTmpfs('size=300m'), 'image');
  expect((await inspectMachine(mountStripe(image))).target.isMemory).toBe(true);
});

test('random reads of compressed data, many of which one request serves, pass no condition', async () => {
  const dir = path.join(mountLoop('btrfs'), 'compressed');
  mkdirSync(dir);
  // The mount options do not show the compression.
  execFileSync('btrfs', ['property', 'set', dir, 'compression', 'zstd']);
  const flags = ['--size', '0.01', '--io-size', '4k', '--mix', '100', '--no-fsync'];
  // Long enough for many reads of each compressed extent, even on a busy machine.
  flags.push('--iops-duration', '3', '--expect', 'iops>=1');
  const { report, exitCode } = await measureFilesystem(dir, flags);
  expect(deviceShare(report, 'iops')).toBeLessThan(0.9);
  expect(report.expectations).toMatchObject([{ passed: false, inconclusive: {} }]);
  expect(exitCode).toBe(3);
});
