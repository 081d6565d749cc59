import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readCpuQuota } from '../../src/machine/cpu-quota.js';
import { usableCores } from '../../src/machine/host.js';
import { makeDirectory } from '../support/disks/directory.js';

/** Creates the root directory of a system with these files. */
function makeRoot(files: Readonly<Record<string, string>>): string {
  const root = makeDirectory();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.join(root, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  return root;
}

const VERSION_2 = { 'proc/self/cgroup': '0::/\n' };
const VERSION_1 = {
  'proc/self/cgroup': '5:memory:/docker/a\n4:cpu,cpuacct:/docker/a\n1:name=systemd:/docker/a\n',
};

test.each([
  ['a container of version 2', { ...VERSION_2, 'sys/fs/cgroup/cpu.max': '150000 100000\n' }, 1.5],
  ['version 2 without a limit', { ...VERSION_2, 'sys/fs/cgroup/cpu.max': 'max 100000\n' }, null],
  [
    'groups of version 2, if the outer group has the lower quota',
    {
      'proc/self/cgroup': '0::/work/job\n',
      'sys/fs/cgroup/work/cpu.max': '200000 100000\n',
      'sys/fs/cgroup/work/job/cpu.max': '400000 100000\n',
    },
    2,
  ],
  [
    'a container of version 1, which sees its own group as the root',
    {
      ...VERSION_1,
      'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us': '50000\n',
      'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us': '100000\n',
    },
    0.5,
  ],
  [
    'version 1 without a limit',
    {
      ...VERSION_1,
      'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us': '-1\n',
      'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us': '100000\n',
    },
    null,
  ],
  ['a system without control groups', {}, null],
  ['files with other text', { ...VERSION_2, 'sys/fs/cgroup/cpu.max': 'much more\n' }, null],
] as const)('readCpuQuota returns the CPUs of %s', async (_, files, cpus) => {
  expect(await readCpuQuota(makeRoot(files))).toBe(cpus);
});

test.each([
  [64, 2, 2],
  [64, 1.5, 2],
  [64, 0.1, 1],
  [2, 8, 2],
  [4, null, 4],
])('a process with %i CPUs and a quota of %s CPUs can use %i', (cores, quota, usable) => {
  expect(usableCores(cores, quota)).toBe(usable);
});
