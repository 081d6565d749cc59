import { beforeEach, describe, expect, test } from 'vitest';
import { FUSE_TOOLS, mountFuse } from '../support/disks/fuse.js';
import { LOOP_TOOLS, mountLoop } from '../support/disks/loop.js';
import { requireTools } from '../support/tools.js';
import { measureFilesystem, warningNames } from './measure-filesystem.js';

const CONDITIONS = ['write>=1B/s', 'read>=1B/s', 'iops>=1'].flatMap((text) => ['--expect', text]);

describe('on a plain disk', () => {
  beforeEach(requireTools(...LOOP_TOOLS, 'mkfs.ext4'));

  test('cached reads are inconclusive, and writes count with their durable rate', async () => {
    const { report, exitCode } = await measureFilesystem(mountLoop('ext4'), [
      '--cache',
      'keep',
      ...CONDITIONS,
    ]);
    expect(report.expectations).toMatchObject([
      { passed: true, actual: report.runs[0]?.measurements[0]?.durable?.bytesPerSecond },
      {
        passed: false,
        inconclusive: { reason: expect.stringMatching(/^only [\d.]+ % was read from the device/) },
      },
      { passed: false, inconclusive: { hint: expect.stringContaining('--direct') } },
    ]);
    expect(exitCode).toBe(3);
  });
});

describe('on FUSE, where the device share is unknown', () => {
  beforeEach(requireTools(...FUSE_TOOLS));

  test('reads are inconclusive, and a warning reports the unknown share', async () => {
    const { report, exitCode } = await measureFilesystem((await mountFuse()).dir, CONDITIONS);
    expect(report.expectations).toMatchObject([
      { passed: true },
      {
        passed: false,
        inconclusive: { reason: expect.stringMatching(/^the device's share is unknown: .*fuse/) },
      },
      { passed: false },
    ]);
    expect(warningNames(report)).toEqual(
      expect.arrayContaining(['device-share-unknown read', 'device-share-unknown iops']),
    );
    expect(exitCode).toBe(3);
  });
});
