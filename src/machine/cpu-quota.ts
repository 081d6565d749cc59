import { readFile } from 'node:fs/promises';
import path from 'node:path';

export const CGROUP_FS = '/sys/fs/cgroup';
/** The files with the quota and its period. Version 2 has both in one file. */
const QUOTA_FILES = { v1: ['cpu.cfs_quota_us', 'cpu.cfs_period_us'], v2: ['cpu.max'] } as const;

/** Returns the number of CPUs that this process may use, by the quota of its control groups. Null without a limit. */
export async function readCpuQuota(root = '/'): Promise<number | null> {
  const limits: number[] = [];
  for (const line of (await readText(path.join(root, 'proc/self/cgroup'))).split('\n')) {
    // Version 2 has the line `0::/path`; version 1 has a line per controller, such as `4:cpu,cpuacct:/path`.
    const [, controllers, group] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (controllers === undefined || group === undefined) continue;
    if (controllers !== '' && !controllers.split(',').includes('cpu')) continue;
    const files = QUOTA_FILES[controllers === '' ? 'v2' : 'v1'];
    for (const ownOrParent of pathWithParents(group)) {
      const directory = path.join(root, CGROUP_FS, controllers, ownOrParent);
      const texts = await Promise.all(files.map((name) => readText(path.join(directory, name))));
      // Without a limit, the quota is `max` or -1.
      const [quota, period] = texts.join(' ').split(/\s+/).map(Number);
      const cpus = (quota ?? Number.NaN) / (period ?? Number.NaN);
      if (Number.isFinite(cpus) && cpus > 0) limits.push(cpus);
    }
  }
  return limits.length === 0 ? null : Math.min(...limits);
}

function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}

/** Returns `/a/b`, `/a` and `/`: each group limits the groups below it, and a container sees its own group as `/`. */
export function pathWithParents(group: string): readonly string[] {
  const parent = path.posix.dirname(group);
  return parent === group ? [group] : [group, ...pathWithParents(parent)];
}
