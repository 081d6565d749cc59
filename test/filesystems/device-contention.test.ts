import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { findMeasurement } from '../support/data/all-phases.js';
import { LOOP_TOOLS, mountLoop } from '../support/disks/loop.js';
import { requireTools } from '../support/tools.js';
import { measureFilesystem, warningNames } from './measure-filesystem.js';

/** Writes to the device with direct I/O until the end of the test. */
async function keepBusy(dir: string): Promise<void> {
  const file = path.join(dir, 'other');
  const copy = `dd if=/dev/zero of="$0" bs=1M count=64 oflag=direct conv=notrunc status=none`;
  const child = spawn('sh', ['-c', `while ${copy}; do :; done`, file], { detached: true, stdio: 'ignore' });
  onTestFinished(async () => {
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    await once(child, 'close');
  });
  await vi.waitUntil(() => existsSync(file), { interval: 2, timeout: 100_000 });
}

describe('on a separate device', () => {
  beforeEach(requireTools('/proc/self/io', 'dd', ...LOOP_TOOLS, 'mkfs.ext4'));

  const FLAGS = ['--direct', '--iops-duration', '1'];

  test('a warning reports the I/O of another process', async () => {
    const dir = mountLoop('ext4');
    await keepBusy(dir);
    const { report, stderr } = await measureFilesystem(dir, FLAGS);
    expect(findMeasurement(report, 'iops').otherIo?.writtenBytes).toBeGreaterThan(4_000_000);
    expect(warningNames(report)).toContain('device-contention iops');
    // The line also has Sequential Write if the other process wrote enough during that phase.
    expect(stderr).toMatch(
      / warning: (?:Sequential \w+: other programs used this device \(\d+ MB\); )*IOPS: other programs used this device \(\d+ MB\); /,
    );
  });

  test('without I/O of other processes, no warning appears', async () => {
    const { report } = await measureFilesystem(mountLoop('ext4'), FLAGS);
    expect(warningNames(report).filter((warning) => warning.startsWith('device-contention'))).toEqual([]);
  });
});
