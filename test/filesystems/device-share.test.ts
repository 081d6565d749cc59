import { beforeEach, describe, expect, test } from 'vitest';
import { findMeasurement } from '../support/data/all-phases.js';
import { LOOP_TOOLS, mountLoop } from '../support/disks/loop.js';
import { NOBODY, requireTools } from '../support/tools.js';
import { deviceShare, measureFilesystem, warningNames } from './measure-filesystem.js';
import { DISKS, TMPFS } from './test-filesystems.js';

describe.each(DISKS)('on $name', ({ tools, make }) => {
  beforeEach(requireTools('/proc/self/io', 'setpriv', ...tools));

  test('root reads from the device, all written data reaches it, and an ordinary run has no warning about the page cache', async () => {
    const { report } = await measureFilesystem(make(), []);
    expect(report.cache).toEqual({ requested: 'auto', applied: 'drop', reason: null });
    expect(deviceShare(report, 'read')).toBeGreaterThanOrEqual(0.99);
    expect(warningNames(report)).not.toContain('served-from-cache read');
    expect(warningNames(report)).not.toContain('still-dirty write');
    expect(deviceShare(report, 'write')).toBeGreaterThanOrEqual(0.99);
    const { device } = findMeasurement(report, 'write');
    expect(device.writtenBytes).toBeGreaterThanOrEqual(report.options.sizeBytes);
  });

  test('a user other than root evicts the files from the page cache, and so reads from the device', async () => {
    const { report } = await measureFilesystem(make(), [], NOBODY);
    expect(report.cache).toEqual({ requested: 'auto', applied: 'evict', reason: null });
    expect(deviceShare(report, 'read')).toBeGreaterThanOrEqual(0.99);
    expect(warningNames(report)).not.toContain('served-from-cache read');
  });
});

describe('on ext4', () => {
  beforeEach(requireTools('/proc/self/io', ...LOOP_TOOLS, 'mkfs.ext4'));

  test('a warning reports a write that remains in the page cache with --no-fsync', async () => {
    const { report } = await measureFilesystem(mountLoop('ext4'), ['--no-fsync']);
    const { share } = findMeasurement(report, 'write').device;
    expect(warningNames(report).includes('still-dirty write')).toBe((share ?? 1) < 0.9);
  });

  test('a synced write has the disk’s rate, even if a step before it left the same data in the page cache', async () => {
    const steps = ['--step', 'write,name=unsynced,fsync=false', '--step', 'write,name=synced', '--runs', '4'];
    const { report } = await measureFilesystem(mountLoop('ext4'), steps);
    const shares = report.runs.map(
      ({ measurements }) => measurements.find(({ step }) => step === 'synced')?.device.share ?? 0,
    );
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.99);
  });

  test('with --cache keep, reads come from the page cache, which a warning reports, and pass no condition', async () => {
    const conditions = ['--expect', 'write>=1B/s', '--expect', 'read>=1B/s'];
    const { report, stderr, exitCode } = await measureFilesystem(mountLoop('ext4'), [
      '--cache',
      'keep',
      ...conditions,
    ]);
    expect(report.cache).toEqual({ requested: 'keep', applied: 'keep', reason: null });
    expect(deviceShare(report, 'read')).toBeLessThan(0.05);
    expect(warningNames(report)).toContain('served-from-cache read');
    expect(stderr).toMatch(
      / warning: Sequential Read(?:, IOPS)?: only \d\.\d % was read from the device; the rest (?:was compressed or )?came from the page cache; /,
    );
    expect(report.expectations).toMatchObject([
      { passed: true, actual: findMeasurement(report, 'write').bytesPerSecond },
      {
        passed: false,
        inconclusive: { reason: expect.stringMatching(/^only [\d.]+ % was read from the device/) },
      },
    ]);
    expect(exitCode).toBe(3);
  });
});

describe('on tmpfs', () => {
  beforeEach(requireTools('setpriv', ...TMPFS.tools));

  test.each([
    ['root', {}],
    ['nobody', NOBODY],
  ])('%s gets one warning about files in RAM, and gobonnie keeps the page cache', async (_, options) => {
    const { report, stderr } = await measureFilesystem(TMPFS.make(), ['--runs', '2'], options);
    const shares = report.runs.flatMap(({ measurements }) => measurements.map(({ device }) => device.share));
    expect(shares).toEqual([0, 0, 0, 0, 0, 0]);
    expect(report.cache).toEqual({
      requested: 'auto',
      applied: 'keep',
      reason: expect.stringContaining('RAM'),
    });
    expect(warningNames(report).filter((warning) => !warning.startsWith('cpu-'))).toEqual([
      'memory-filesystem',
    ]);
    expect(stderr.match(/ is in memory \(tmpfs\), /g)).toHaveLength(1);
  });
});
