import { beforeEach, expect, test } from 'vitest';
import { measureFilesystem } from '../filesystems/measure-filesystem.js';
import { LOOP_TOOLS, mountLoop } from '../support/disks/loop.js';
import { mountTmpfs } from '../support/disks/mounts.js';
import { NOBODY, requireTools } from '../support/tools.js';

beforeEach(requireTools('/proc/self/io', 'setpriv', ...LOOP_TOOLS, 'mkfs.ext4'));

/**
 * Measures little data as a user who evicts the files only once before iops, so the page cache serves most of its reads.
 * Returns iops of two runs, and the duration of each of its measurements.
 */
async function measureIops(dir: string, flags: readonly string[] = []) {
  const little = ['--size', '0.002', '--iops-duration', '1', '--runs', '2', '--format', 'ndjson'];
  const { report, stdout } = await measureFilesystem(dir, [...little, ...flags], NOBODY);
  const measurements = report.runs.flatMap((run) => run.measurements.filter(({ step }) => step === 'iops'));
  const starts = stdout.matchAll(/"step-start".*"step":"iops".*"amount":([\d.]+)/g);
  return { measurements, durations: [...starts].map(([, seconds]) => Number(seconds)) };
}

test('a step that the page cache served is measured again with direct I/O, and directly in later runs', async () => {
  const { measurements, durations } = await measureIops(mountLoop('ext4'));
  const [first, second] = measurements;
  expect(durations).toEqual([1, 1 / 3, 1 / 3]);
  expect(first).toMatchObject({ direct: true, cached: { operationsPerSecond: expect.any(Number) } });
  expect(first?.cached?.deviceShare).toBeLessThan(0.9);
  expect(second).toMatchObject({ direct: true });
  expect(second?.cached).toBeUndefined();
  for (const { device } of measurements) expect(device.share).toBeGreaterThanOrEqual(0.9);
});

test.each([
  ['with --allow-cached', ['--allow-cached'], () => mountLoop('ext4')],
  ['with --cache keep', ['--cache', 'keep'], () => mountLoop('ext4')],
  ['with --no-fsync', ['--no-fsync'], () => mountLoop('ext4')],
  ['on tmpfs', [], () => mountTmpfs('size=100m')],
])('%s, no step is measured again', async (_, flags, makeDirectory) => {
  const { measurements, durations } = await measureIops(makeDirectory(), flags);
  expect(durations).toEqual([1, 1]);
  for (const { direct, device } of measurements) {
    expect(direct).toBe(false);
    expect(device.share).toBeLessThan(0.9);
  }
});
