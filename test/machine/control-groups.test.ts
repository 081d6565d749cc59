import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readCpuQuota, readIoLimits } from '../../src/machine/control-groups.js';
import { usableCores } from '../../src/machine/host.js';
import { makeDirectory } from '../support/disks/directory.js';

/** Creates the root directory of a system with these files. */
function makeRoot(files: Readonly<Record<string, string>>): string {
  const root = makeDirectory();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.join(root, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(root, name), `${text}\n`);
  }
  return root;
}

const READ_IOPS = 'blkio.throttle.read_iops_device';
const read = { direction: 'read', unit: 'operations' };

test.each([
  [
    'version 2, of the group and the group above it',
    {
      'proc/self/cgroup': '0::/jobs/build',
      'sys/fs/cgroup/jobs/io.max': '8:0 rbps=max wbps=1048576 riops=max wiops=max',
      'sys/fs/cgroup/jobs/build/io.max': '8:16 riops=5\n8:0 rbps=max wbps=max riops=100 wiops=max',
    },
    [
      { ...read, perSecond: 100, file: '/sys/fs/cgroup/jobs/build/io.max' },
      { direction: 'write', unit: 'bytes', perSecond: 1_048_576, file: '/sys/fs/cgroup/jobs/io.max' },
    ],
  ],
  [
    'version 1, where the groups above have no effect',
    {
      'proc/self/cgroup': '4:cpu:/a\n3:blkio:/a/b',
      [`sys/fs/cgroup/blkio/a/${READ_IOPS}`]: '8:0 50',
      [`sys/fs/cgroup/blkio/a/b/${READ_IOPS}`]: '8:0 100',
    },
    [{ ...read, perSecond: 100, file: `/sys/fs/cgroup/blkio/a/b/${READ_IOPS}` }],
  ],
  [
    'a container of version 1, which sees its own group as the root',
    { 'proc/self/cgroup': '3:blkio:/docker/a', [`sys/fs/cgroup/blkio/${READ_IOPS}`]: '8:0 100' },
    [{ ...read, perSecond: 100, file: `/sys/fs/cgroup/blkio/${READ_IOPS}` }],
  ],
  ['a system without control groups', {}, []],
])('readIoLimits returns the limits of a disk: %s', async (_, files, limits) => {
  expect(await readIoLimits(['8:0'], makeRoot(files))).toEqual(limits);
});

const VERSION_2 = { 'proc/self/cgroup': '0::/' };
const VERSION_1 = {
  'proc/self/cgroup': '5:memory:/docker/a\n4:cpu,cpuacct:/docker/a\n1:name=systemd:/docker/a',
};

test.each([
  ['a container of version 2', { ...VERSION_2, 'sys/fs/cgroup/cpu.max': '150000 100000' }, 1.5],
  ['version 2 without a limit', { ...VERSION_2, 'sys/fs/cgroup/cpu.max': 'max 100000' }, null],
  [
    'groups of version 2, if the outer group has the lower quota',
    {
      'proc/self/cgroup': '0::/outer/inner',
      'sys/fs/cgroup/outer/cpu.max': '200000 100000',
      'sys/fs/cgroup/outer/inner/cpu.max': '400000 100000',
    },
    2,
  ],
  [
    'a container of version 1, which sees its own group as the root',
    {
      ...VERSION_1,
      'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us': '50000',
      'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us': '100000',
    },
    0.5,
  ],
  ['a system without control groups', {}, null],
  ['files with other text', { ...VERSION_2, 'sys/fs/cgroup/cpu.max': 'much more' }, null],
] as const)('readCpuQuota returns the CPUs of %s', async (_, files, cpus) => {
  expect(await readCpuQuota(makeRoot(files))).toBe(cpus);
});

test.each([
  [64, 1.5, 2],
  [64, 0.1, 1],
  [2, 8, 2],
  [4, null, 4],
])('a process with %i CPUs and a quota of %s CPUs can use %i', (cores, quota, usable) => {
  expect(usableCores(cores, quota)).toBe(usable);
});
