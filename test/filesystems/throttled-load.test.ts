import { beforeEach, expect, test } from 'vitest';
import type { Report } from '../../src/report/schema/report.js';
import { IO_LIMIT_FILE } from '../support/disks/control-group.js';
import { LOOP_TOOLS, mountLoop } from '../support/disks/loop.js';
import { runGobonnie } from '../support/programs/program.js';
import { requireTools } from '../support/tools.js';
import { limitDevice } from './device-limits.js';

beforeEach(requireTools(IO_LIMIT_FILE, ...LOOP_TOOLS, 'mkfs.ext4'));

// The kernel grants four reads every 0.1 s, so each waits for at most that time: alone for its next grant, beside three others for its turn. A stall of the machine would be the p99 of so few reads, but not their p90.
test("at a control group's limit of 40 reads a second, four readers get 10 each, and p90 remains 0.1 s", async () => {
  const dir = mountLoop('ext4');
  const group = limitDevice(dir, { read_iops: 40 });
  const read = 'random,io-size=4k,mix=100,threads=1,direct';
  const steps = ['--step', `${read},name=alone,seconds=4`, '--step', `${read},name=loaded,seconds=4`];
  const beside = ['--beside', 'random,name=others,io-size=4k,mix=100,threads=3,direct'];
  const flags = ['--dir', dir, '--size', '8M', '--format', 'report', ...steps, ...beside];
  const { stdout } = await runGobonnie(flags, group);
  const { runs }: Report = JSON.parse(stdout);
  const find = (name: string) => runs[0]?.measurements.find(({ step }) => step === name);
  for (const [name, perSecond] of [
    ['alone', 40],
    ['loaded', 10],
    ['others', 30],
  ] as const)
    expect(Math.abs((find(name)?.operationsPerSecond ?? 0) / perSecond - 1), name).toBeLessThan(0.1);
  const growth = (find('loaded')?.latencyNs?.p90 ?? 0) / (find('alone')?.latencyNs?.p90 ?? 0);
  expect(Math.abs(growth - 1)).toBeLessThan(0.2);
});
