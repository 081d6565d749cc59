import path from 'node:path';
import { readGroupHierarchies } from './control-groups.js';
import { readAttribute } from './sysfs-attribute.js';

/** The files with the quota and its period. Version 2 has both in one file. */
const QUOTA_FILES = { v1: ['cpu.cfs_quota_us', 'cpu.cfs_period_us'], v2: ['cpu.max'] } as const;

/** Returns the number of CPUs that this process may use, by the quota of its control groups. Null without a limit. */
export async function readCpuQuota(root = '/'): Promise<number | null> {
  const limits: number[] = [];
  for (const { isV1, directories } of await readGroupHierarchies('cpu', root)) {
    const files = QUOTA_FILES[isV1 ? 'v1' : 'v2'];
    for (const directory of directories) {
      const texts = await Promise.all(files.map((name) => readAttribute(path.join(root, directory, name))));
      // Without a limit, the quota is `max` or -1.
      const [quota, period] = texts.join(' ').split(/\s+/).map(Number);
      const cpus = (quota ?? Number.NaN) / (period ?? Number.NaN);
      if (Number.isFinite(cpus) && cpus > 0) limits.push(cpus);
    }
  }
  return limits.length === 0 ? null : Math.min(...limits);
}
