import { execFileSync, execSync } from 'node:child_process';
import os from 'node:os';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { MIB } from '../../src/text/units.js';
import { findMeasurement } from '../support/data/all-phases.js';
import { makeDirectory } from '../support/disks/directory.js';
import { attachLoop, LOOP_TOOLS, mountCachedLoop, mountExt4, mountLoop } from '../support/disks/loop.js';
import { mount, mountBindfs, mountTmpfs } from '../support/disks/mounts.js';
import { runGobonnie } from '../support/programs/program.js';
import { requireTools } from '../support/tools.js';
import { deviceShare, measureFilesystem, warningNames } from './measure-filesystem.js';
import { DISKS } from './test-filesystems.js';

const PHASES = ['write', 'read', 'iops'];

describe.each(DISKS)('on $name', ({ tools, make }) => {
  beforeEach(requireTools('/proc/self/io', ...tools));

  test('--direct moves all data to and from the device, and random I/O reads little more', async () => {
    const { report } = await measureFilesystem(make(), ['--direct']);
    for (const phase of PHASES) expect(deviceShare(report, phase)).toBeGreaterThanOrEqual(0.99);
    expect(report.cache).toEqual({ requested: 'auto', applied: 'keep', reason: 'direct reads bypass it' });
    expect(warningNames(report).filter((warning) => /^(still-dirty|memory-)/.test(warning))).toEqual([]);
    const { readBytes, device } = findMeasurement(report, 'iops');
    // With the page cache, the device would read whole pages.
    expect((device.readBytes ?? 0) / readBytes).toBeLessThan(1.5);
  });
});

describe('random I/O with --direct', () => {
  beforeEach(requireTools(...LOOP_TOOLS, 'mkfs.ext4', 'mkfs.xfs'));

  test.each([
    ['ext4', 512],
    ['xfs', 512],
    ['ext4', 4096],
    ['xfs', 4096],
  ] as const)(
    'on %s with sectors of %i bytes moves one sector at a time',
    async (filesystem, sectorBytes) => {
      const { report } = await measureFilesystem(mountLoop(filesystem, { sectorBytes }), ['--direct']);
      const isRaised = sectorBytes > 512;
      expect(report.target.disk?.logicalBlockBytes).toBe(sectorBytes);
      expect(report.options.ioSizeBytes).toBe(sectorBytes);
      expect(warningNames(report).includes('io-size-raised iops')).toBe(isRaised);
      expect(deviceShare(report, 'iops')).toBeGreaterThanOrEqual(0.99);
    },
  );
});

describe('on ext4 with data=journal', () => {
  beforeEach(requireTools('/proc/self/io', ...LOOP_TOOLS, 'mkfs.ext4'));

  test('--direct has no effect, and a warning reports reads from the page cache', async () => {
    const { report } = await measureFilesystem(mountLoop('ext4', { mountOptions: 'data=journal' }), [
      '--direct',
    ]);
    expect(deviceShare(report, 'read')).toBeLessThan(0.05);
    expect(deviceShare(report, 'iops')).toBeLessThan(0.2);
    expect(warningNames(report)).toEqual(
      expect.arrayContaining(['served-from-cache read', 'served-from-cache iops']),
    );
  });
});

describe('on a loop device', () => {
  beforeEach(requireTools('/proc/self/io', ...LOOP_TOOLS, 'mkfs.ext4', 'bindfs'));

  test('that caches its file, the device share of reads is unknown, and the command in the hint turns the cache off', async () => {
    const dir = mountCachedLoop(256 * MIB);
    const { report } = await measureFilesystem(dir, ['--direct']);
    expect(PHASES.map((phase) => findMeasurement(report, phase).device.share)).toEqual([1, null, null]);
    expect(warningNames(report)).toEqual(
      expect.arrayContaining(['device-share-unknown read', 'device-share-unknown iops']),
    );
    const { hint = '' } = report.warnings.find(({ code }) => code === 'device-share-unknown') ?? {};
    const [, command = ''] = /`(losetup .+)`/.exec(hint) ?? [];
    execSync(command);
    const uncached = await measureFilesystem(dir, ['--direct']);
    for (const phase of PHASES) expect(deviceShare(uncached.report, phase)).toBeGreaterThanOrEqual(0.99);
  });

  test.each([
    ['on another loop device that caches', 'reads', [1, null, null], () => mountCachedLoop(256 * MIB)],
    ['on FUSE', 'writes and reads', [null, null, null], () => mountBindfs(makeDirectory(os.tmpdir()), [])],
  ])(
    'that bypasses the cache of its file, %s, the device share of %s is unknown',
    async (_where, _what, shares, mountParent) => {
      const { report } = await measureFilesystem(mountExt4(64 * MIB, { parent: mountParent() }), [
        '--direct',
        '--size',
        '0.01',
      ]);
      expect(PHASES.map((phase) => findMeasurement(report, phase).device.share)).toEqual(shares);
      expect(report.target.lowerCache).toMatchObject({ reason: expect.stringContaining('cache') });
    },
  );

  test('on another loop device, the target counts as a disk, even if the file below is in RAM', async () => {
    const attach = ['--find', '--show', '--direct-io=on', attachLoop(256 * MIB)];
    const device = execFileSync('losetup', attach, { encoding: 'utf8' }).trim();
    onTestFinished(() => {
      execFileSync('losetup', ['--detach', device]);
    });
    execFileSync('mkfs.ext4', ['-q', device]);
    const { report } = await measureFilesystem(mount(makeDirectory(os.tmpdir()), [device]), ['--direct']);
    expect(report.target).toMatchObject({ isMemory: false, lowerCache: null });
    expect(deviceShare(report, 'read')).toBeGreaterThanOrEqual(0.99);
  });

  test('whose file is on a tmpfs, the target counts as RAM', async () => {
    const { report, stderr } = await measureFilesystem(
      mountExt4(256 * MIB, { parent: mountTmpfs('size=300m') }),
      ['--direct'],
    );
    expect(report.target).toMatchObject({ filesystem: 'ext4', isMemory: true, disk: null });
    expect(stderr).toContain(`is in memory (ext4 on ${report.target.device}), so the results`);
  });
});

describe('ab on a disk with sectors of 512 bytes and in memory, which needs 4096', () => {
  beforeEach(requireTools(...LOOP_TOOLS, 'mkfs.ext4'));
  const dryRun = async (flags: readonly string[]) => {
    const directories = [mountLoop('ext4'), mountTmpfs('size=64m')];
    return runGobonnie(['ab', ...directories, '--size', '8M', '--direct', '--dry-run', ...flags]);
  };

  test('moves operations of 4096 bytes on both sides', async () => {
    const { stdout } = await dryRun(['--phases', 'write,iops']);
    expect(stdout.match(/random operations of [^,\n]*/g)).toEqual(
      Array(2).fill('random operations of 4 KiB'),
    );
  });

  test('rejects a step whose own size would differ, before it measures', async () => {
    const { stderr, exitCode } = await dryRun(['--steps', 'random,name=small,io-size=512']);
    expect(stderr).toMatch(
      /^gobonnie: .* cannot be compared: they differ in ioBytes of small \(512 and 4096\); pass/,
    );
    expect(exitCode).toBe(2);
  });
});
