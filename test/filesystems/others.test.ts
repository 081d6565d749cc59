import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { LOOP_TOOLS, mountLoop } from '../support/disks/loop.js';
import { needs } from '../support/tool.js';
import { measured, phaseOf, warned } from './measured.js';

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

describe('on a device of its own', () => {
  beforeEach(needs('/proc/self/io', 'dd', ...LOOP_TOOLS, 'mkfs.ext4'));

  const FLAGS = ['--direct', '--iops-duration', '1'];

  test('a warning reports the I/O of another process', async () => {
    const dir = mountLoop('ext4');
    await keepBusy(dir);
    const { report, stderr } = await measured(dir, FLAGS);
    expect(phaseOf(report, 'iops').otherIo?.writtenBytes).toBeGreaterThan(4_000_000);
    expect(warned(report)).toContain('device-contention iops');
    // Sequential Write is in the line, too, if the other process wrote enough during it.
    expect(stderr).toMatch(
      / warning: (?:Sequential \w+: other programs moved \d+ MB on the same device; )*IOPS: other programs moved \d+ MB on the same device; /,
    );
  });

  test('without I/O of other processes there is no warning', async () => {
    const { report } = await measured(mountLoop('ext4'), FLAGS);
    expect(warned(report).filter((warning) => warning.startsWith('device-contention'))).toEqual([]);
  });
});
