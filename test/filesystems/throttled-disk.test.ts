import { statSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { formatDeviceNumber } from '../../src/machine/block-device.js';
import { describeSpeed, speedFactsOf } from '../../src/speed/verdict.js';
import type { SweepResult } from '../../src/sweep/sweep-result.js';
import { MIB } from '../../src/text/units.js';
import { type ControlGroup, IO_LIMIT_FILE, makeControlGroup } from '../support/disks/control-group.js';
import { LOOP_TOOLS, mountCachedLoop, mountLoop } from '../support/disks/loop.js';
import { mountTmpfs } from '../support/disks/mounts.js';
import { type ProgramOptions, runGobonnie } from '../support/programs/program.js';
import { startGobonnieForTest } from '../support/programs/running-program.js';
import { requireTools } from '../support/tools.js';

beforeEach(requireTools(IO_LIMIT_FILE, ...LOOP_TOOLS, 'mkfs.ext4'));

/** Short enough that gobonnie does not check whether other programs keep the CPUs busy. */
const SHORT = ['--threads', '1,2,4,8', '--runs', '2', '--iops-duration', '0.3'];
const BOTH_SIZES = ['--io-size', '4k,64k'];

const sweepArgs = (dir: string, flags: readonly string[]) => [
  ...['sweep', dir, '--json', '--size', '32M'],
  ...flags,
];

/** Creates a control group with limits per second of the device below a directory, such as `read_iops`. */
function limitDevice(dir: string, limits: Readonly<Record<string, number>>): ControlGroup {
  const group = makeControlGroup('blkio');
  setLimits(group, dir, limits);
  return group;
}

function setLimits(group: ControlGroup, dir: string, limits: Readonly<Record<string, number>>): void {
  const device = formatDeviceNumber(statSync(dir).dev);
  for (const [kind, perSecond] of Object.entries(limits))
    group.set(`blkio.throttle.${kind}_device`, `${device} ${perSecond}`);
}

async function sweep(
  dir: string,
  flags: readonly string[],
  options: ProgramOptions = {},
): Promise<SweepResult> {
  const { stdout, exitCode } = await runGobonnie(sweepArgs(dir, [...SHORT, ...flags]), options);
  expect(exitCode).toBe(0);
  return JSON.parse(stdout);
}

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
    expect(quota, JSON.stringify(points)).toEqual({
      ...{ evidence: 'cgroup', source, unit, limits: unit },
      ...{ perSecond, burstPerSecond: null },
    });
    expect(points.map((point) => point.isServedByDevice)).toEqual(points.map(() => true));
  },
);

/** Long measurements, because the kernel grants operations for a tenth of a second at once. */
const BURST_FLAGS = ['-v', '--threads', '4', '--runs', '8', '--iops-duration', '2'];
const HIGH = { read_iops: 200 };

test.each([
  ['that was configured before the start', HIGH, {}],
  ['that gobonnie did not see at the start', {}, HIGH],
])('sweep names a fall between two levels if someone lowers a limit %s', async (_, before, after) => {
  const dir = mountLoop('ext4');
  const group = limitDevice(dir, before);
  const program = startGobonnieForTest(sweepArgs(dir, BURST_FLAGS), group);
  await program.untilStderr(/ starting/);
  setLimits(group, dir, after);
  await program.untilStderr(/(?: operations [\s\S]*){4}/);
  setLimits(group, dir, { read_iops: 50 });
  const { quota, points }: SweepResult = JSON.parse((await program.exitResult).stdout);
  // If other programs keep the CPUs busy all the time, the fall may be theirs.
  const isCpuBusy = points.every(({ limitedBy }) => limitedBy === 'cpu');
  expect(quota?.evidence).toBe(isCpuBusy ? undefined : 'level-fall');
  if (quota) expect(quota.burstPerSecond).toBeGreaterThan(2 * quota.perSecond);
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
  ['tmpfs', () => ({ dir: mountTmpfs('size=64m') })],
  ['an unthrottled disk', () => ({ dir: mountLoop('ext4') })],
  [
    'a disk with a limit that is not reached',
    () => {
      const dir = mountLoop('ext4');
      return { dir, options: limitDevice(dir, { read_iops: 5_000_000, read_bps: 2 ** 40 }) };
    },
  ],
  ['a loop device that caches its file', () => ({ dir: mountCachedLoop(256 * MIB) })],
  [
    'a loop device in RAM',
    () => ({ dir: mountCachedLoop(64 * MIB, path.join(mountTmpfs('size=80m'), 'i')) }),
  ],
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

/** Returns the sentence that quick prints below its table at a terminal. */
async function quickVerdict(dir: string, options: ProgramOptions = {}): Promise<string | null> {
  const flags = ['--preset', 'crystaldiskmark-real', '--size', '32M', '--runs', '1', '--json'];
  const { stdout, exitCode } = await runGobonnie(['quick', dir, ...flags], options);
  expect(exitCode).toBe(0);
  return describeSpeed(speedFactsOf(JSON.parse(stdout)));
}

test("quick names the control group's limit instead of a disk with similar reads", async () => {
  const dir = mountLoop('ext4');
  const verdict = await quickVerdict(dir, limitDevice(dir, { read_iops: 100 }));
  expect(verdict).toMatch(/random reads at the cgroup's limit|; likely causes?: the cgroup's limit/i);
});

test('quick prints no sentence about tmpfs', async () => {
  expect(await quickVerdict(mountTmpfs('size=64m'))).toBeNull();
});

/** Runs ab on a fast and a slow disk, in this order or the other, and returns its exit code. */
async function compareWithSlowDisk(order: 'slow-second' | 'slow-first', flags: readonly string[]) {
  const fast = mountLoop('ext4');
  const slow = mountLoop('ext4');
  const group = limitDevice(slow, { write_bps: MIB / 2 });
  const directories = order === 'slow-first' ? [slow, fast] : [fast, slow];
  const amount = ['--size', '512K', '--threads', '1', '--phases', 'write', '--direct'];
  const args = ['ab', ...directories, ...amount, '--max-regression', '10%', ...flags];
  return (await runGobonnie(args, group)).exitCode;
}

test.each([
  [
    'a second disk that is slower, because a difference of the disks is what ab looks for',
    3,
    'slow-second',
    ['--runs', '5'],
  ],
  ['a second disk that is faster', 0, 'slow-first', ['--runs', '5']],
  ['single runs, which may differ by chance', 0, 'slow-second', ['--runs', '1']],
  ['single runs with --strict', 3, 'slow-second', ['--runs', '1', '--strict']],
] as const)(
  'ab --max-regression of two disks answers %s with exit code %i',
  async (_, code, order, flags) => {
    expect(await compareWithSlowDisk(order, flags)).toBe(code);
  },
);
