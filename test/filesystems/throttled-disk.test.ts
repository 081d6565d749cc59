import { beforeEach, expect, test } from 'vitest';
import { reportSchema } from '../../src/report/schema/report.js';
import { GIB, MIB } from '../../src/text/units.js';
import { IO_LIMIT_FILE, makeControlGroup } from '../support/disks/control-group.js';
import { LOOP_TOOLS, mountCachedLoop, mountLoop } from '../support/disks/loop.js';
import { type ProgramOptions, runGobonnie } from '../support/programs/program.js';
import { startGobonnieForTest } from '../support/programs/running-program.js';
import { requireTools } from '../support/tools.js';
import { BOTH_SIZES, limitDevice, SHORT, setLimits, sweep, sweepArgs } from './device-limits.js';

beforeEach(requireTools(IO_LIMIT_FILE, ...LOOP_TOOLS, 'mkfs.ext4'));

const HIGH = { read_iops: 200 };

test('the intervals of quick contain the limit of the disk', async () => {
  const limits = { read_iops: 1000, write_iops: 1000, read_bps: 50 * MIB, write_bps: 50 * MIB };
  const dir = mountLoop('ext4', { sizeBytes: 2 * GIB });
  const args = ['quick', dir, '--preset', 'crystaldiskmark-real', '--size', '64M', '--json', '-q'];
  const { stdout } = await runGobonnie(args, limitDevice(dir, limits));
  const { statistics } = reportSchema.parse(JSON.parse(stdout));
  const containing = statistics.filter(({ primaryRate, confidence95 }) => {
    const limit = primaryRate === 'bytes' ? 50 * MIB : 1000;
    return confidence95 && confidence95.low <= limit && limit <= confidence95.high;
  });
  // Intervals of 95 % miss one limit in twenty.
  expect(containing.length).toBeGreaterThanOrEqual(3);
});

test('sweep claims no quota of a flat curve whose limit it cannot read', async () => {
  const dir = mountLoop('ext4');
  const group = limitDevice(dir, {});
  const program = startGobonnieForTest(sweepArgs(dir, SHORT), group);
  await program.untilStderr(/ starting/);
  setLimits(group, dir, HIGH);
  expect(JSON.parse((await program.exitResult).stdout)).toMatchObject({ quota: null, knee: {} });
});

interface Unthrottled {
  readonly dir: string;
  readonly options?: ProgramOptions;
}

test.each<[string, () => Unthrottled]>([
  [
    'a disk with a limit that is not reached',
    () => {
      const dir = mountLoop('ext4');
      return { dir, options: limitDevice(dir, { read_iops: 5_000_000, read_bps: 2 ** 40 }) };
    },
  ],
  ['a loop device that caches its file', () => ({ dir: mountCachedLoop(256 * MIB) })],
  [
    'a disk whose rate a CPU quota limits',
    () => {
      const group = makeControlGroup('cpu');
      group.set('cpu.cfs_quota_us', '20000');
      return { dir: mountLoop('ext4'), options: group };
    },
  ],
])('sweep claims no quota on %s', async (_, make) => {
  const { dir, options } = make();
  expect((await sweep(dir, BOTH_SIZES, options)).quota).toBeNull();
});
