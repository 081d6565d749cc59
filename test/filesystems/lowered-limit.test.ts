import { beforeEach, expect, test } from 'vitest';
import type { SweepResult } from '../../src/sweep/sweep-result.js';
import { IO_LIMIT_FILE } from '../support/disks/control-group.js';
import { LOOP_TOOLS, mountLoop } from '../support/disks/loop.js';
import { startGobonnieForTest } from '../support/programs/running-program.js';
import { requireTools } from '../support/tools.js';
import { limitDevice, setLimits, sweepArgs } from './device-limits.js';

beforeEach(requireTools(IO_LIMIT_FILE, ...LOOP_TOOLS, 'mkfs.ext4'));

/**
 * Long measurements: the kernel grants operations for a tenth of a second at once, sometimes two, and rates of one level
 * may differ by 5 %.
 */
const BURST_FLAGS = ['-v', '--threads', '4', '--runs', '8', '--iops-duration', '4'];

test('sweep names a fall between two levels if someone lowers a limit during the run', async () => {
  const dir = mountLoop('ext4');
  const group = limitDevice(dir, { read_iops: 200 });
  const program = startGobonnieForTest(sweepArgs(dir, BURST_FLAGS), group);
  await program.untilStderr(/(?: operations [\s\S]*){4}/);
  setLimits(group, dir, { read_iops: 50 });
  const { quota, points }: SweepResult = JSON.parse((await program.exitResult).stdout);
  // If other programs keep the CPUs busy all the time, the fall may be theirs.
  const isCpuBusy = points.every(({ limitedBy }) => limitedBy === 'cpu');
  expect(quota?.evidence).toBe(isCpuBusy ? undefined : 'level-fall');
  if (quota) expect(quota.burstPerSecond).toBeGreaterThan(2 * quota.perSecond);
});
