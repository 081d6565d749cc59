import { beforeEach, expect, test } from 'vitest';
import type { Report } from '../../src/report/schema/report.js';
import { NS_PER_SECOND } from '../../src/text/units.js';
import { IO_LIMIT_FILE } from '../support/disks/control-group.js';
import { LOOP_TOOLS, mountLoop } from '../support/disks/loop.js';
import { runGobonnie } from '../support/programs/program.js';
import { requireTools } from '../support/tools.js';
import { limitDevice } from './device-limits.js';

beforeEach(requireTools(IO_LIMIT_FILE, ...LOOP_TOOLS, 'mkfs.ext4'));

// The kernel grants four reads every 0.1 s. A reader alone gets them all, and each of four readers gets one.
test("at a control group's limit of 40 reads a second, four readers get 10 each, and wait 0.1 s for each read", async () => {
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
  expect(Math.abs((find('loaded')?.latencyNs?.p50 ?? 0) / NS_PER_SECOND / 0.1 - 1)).toBeLessThan(0.2);
});
