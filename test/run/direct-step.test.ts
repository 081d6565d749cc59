import { beforeEach, expect, test } from 'vitest';
import type { Target } from '../../src/machine/machine-schema.js';
import type { OptionsInput } from '../../src/options/options-schema.js';
import { toDirectStep } from '../../src/plan/direct-step.js';
import type { RunPlan } from '../../src/plan/plan.js';
import { measureFilesystem } from '../filesystems/measure-filesystem.js';
import { planWith } from '../support/data/fixtures.js';
import { LOOP_TOOLS, mountLoop } from '../support/disks/loop.js';
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
  const starts = [...stdout.matchAll(/"step-start".*"step":"iops".*"title":"(.*?)".*"amount":([\d.]+)/g)];
  const titles = starts.map(([, title]) => title);
  return { measurements, titles, durations: starts.map(([, , seconds]) => Number(seconds)) };
}

test('a step that the page cache served is measured again with direct I/O, and directly in later runs', async () => {
  const { measurements, titles, durations } = await measureIops(mountLoop('ext4'));
  const [first, second] = measurements;
  expect(titles).toEqual(['IOPS', 'IOPS, again with direct I/O', 'IOPS']);
  expect(durations).toEqual([1, 1 / 3, 1 / 3]);
  expect(first).toMatchObject({ direct: true, cached: { operationsPerSecond: expect.any(Number) } });
  expect(first?.cached?.deviceShare).toBeLessThan(0.9);
  expect(second).toMatchObject({ direct: true });
  expect(second?.cached).toBeUndefined();
  for (const { device } of measurements) expect(device.share).toBeGreaterThanOrEqual(0.9);
});

test('with --allow-cached, no step is measured again', async () => {
  const { measurements, durations } = await measureIops(mountLoop('ext4'), ['--allow-cached']);
  expect(durations).toEqual([1, 1]);
  for (const { direct, device } of measurements) {
    expect(direct).toBe(false);
    expect(device.share).toBeLessThan(0.9);
  }
});

test.each(['direct=false', 'fsync=false'])(
  'a step with %s keeps a result that the page cache served',
  (setting) => {
    const plan = planWith({ size: 1, steps: `random,${setting} random,threads=1` });
    expect(plan.steps.map((step) => toDirectStep(step, plan, 1) !== null)).toEqual([false, true]);
  },
);

test.each<[string, OptionsInput, Partial<Target>]>([
  ['with --cache keep', { cache: 'keep' }, {}],
  ['with --no-fsync', { noFsync: true }, {}],
  ['in memory', {}, { isMemory: true }],
  ['on a filesystem without direct I/O', {}, { acceptsDirect: false }],
])('%s, no read can be measured again', (_, options, target) => {
  const hasDirectStep = (plan: RunPlan) => plan.steps.map((step) => toDirectStep(step, plan, 1) !== null);
  expect(hasDirectStep(planWith({ size: 1 }))).toEqual([false, true, true]);
  expect(hasDirectStep(planWith({ size: 1, ...options }, { target }))).toEqual([false, false, false]);
});
