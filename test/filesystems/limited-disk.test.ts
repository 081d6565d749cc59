import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { describeSpeed, speedFactsOf } from '../../src/rating/rating.js';
import { MIB } from '../../src/text/units.js';
import { IO_LIMIT_FILE } from '../support/disks/control-group.js';
import { LOOP_TOOLS, mountLoop } from '../support/disks/loop.js';
import { mountTmpfs } from '../support/disks/mounts.js';
import { type ProgramOptions, runGobonnie } from '../support/programs/program.js';
import { requireTools } from '../support/tools.js';
import { BOTH_SIZES, limitDevice, sweep } from './device-limits.js';

// Such low limits set the pace even while other tests use the disk.
beforeEach(requireTools(IO_LIMIT_FILE, ...LOOP_TOOLS, 'mkfs.ext4'));

test.each([
  ['operations', 200, 'read_iops', { read_bps: 2 ** 40 }, []],
  ['bytes', 4 * MIB, 'read_bps', { read_iops: 1_000_000 }, []],
  ['operations', 200, 'write_iops', { read_iops: 1_000_000 }, ['--mix', '0']],
] as const)(
  "sweep names the control group's limit of %s: %i per second in %s",
  async (unit, perSecond, kind, others, flags) => {
    const dir = mountLoop('ext4');
    const group = limitDevice(dir, { [kind]: perSecond, ...others });
    const { quota, points } = await sweep(dir, [...BOTH_SIZES, ...flags], group);
    const source = path.join(group.directory, `blkio.throttle.${kind}_device`);
    const limit = { evidence: 'cgroup', source, unit, limits: unit, perSecond, burstPerSecond: null };
    expect(quota, JSON.stringify(points)).toEqual(limit);
    expect(points.map((point) => point.isServedByDevice)).toEqual(points.map(() => true));
  },
);

/** Returns the sentence that quick prints below its table at a terminal. */
async function quickVerdict(dir: string, options: ProgramOptions = {}): Promise<string | null> {
  // In several rounds, a moment without CPU time does not set the pace.
  const flags = ['--preset', 'crystaldiskmark-real', '--size', '32M', '--runs', '4', '--json'];
  const { stdout, exitCode } = await runGobonnie(['quick', dir, ...flags], options);
  expect(exitCode).toBe(0);
  return describeSpeed(speedFactsOf(JSON.parse(stdout)));
}

test("quick names the control group's limit instead of a disk with similar reads", async () => {
  const dir = mountLoop('ext4');
  const verdict = await quickVerdict(dir, limitDevice(dir, { read_iops: 100 }));
  expect(verdict).toMatch(
    /random reads at the control group's limit|; likely causes?: the control group's limit/i,
  );
});

test('quick prints no sentence about tmpfs', async () => {
  expect(await quickVerdict(mountTmpfs('size=64m'))).toBeNull();
});
