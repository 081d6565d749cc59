import path from 'node:path';
import { readAttribute } from './attachment.js';
import type { IoLimit } from './machine-schema.js';

const CGROUP_FS = '/sys/fs/cgroup';
/** The files with the quota and its period. Version 2 has both in one file. */
const QUOTA_FILES = { v1: ['cpu.cfs_quota_us', 'cpu.cfs_period_us'], v2: ['cpu.max'] };
/** Version 2 has all I/O limits in `io.max`, with these keys. Version 1 has a file for each. */
const LIMITS = [
  { key: 'riops', v1: 'blkio.throttle.read_iops_device', direction: 'read', unit: 'operations' },
  { key: 'wiops', v1: 'blkio.throttle.write_iops_device', direction: 'write', unit: 'operations' },
  { key: 'rbps', v1: 'blkio.throttle.read_bps_device', direction: 'read', unit: 'bytes' },
  { key: 'wbps', v1: 'blkio.throttle.write_bps_device', direction: 'write', unit: 'bytes' },
] as const;
const LIMIT_FILES = { v1: LIMITS.map(({ v1 }) => v1), v2: ['io.max'] };

/** A control group that limits this process: its own group, or a group above that. */
interface Group {
  readonly isV1: boolean;
  /** The existing files of a controller. */
  readonly files: readonly { readonly file: string; readonly text: string }[];
}

/** Returns the number of CPUs that this process may use, by the quota of its control groups. Null without a limit. */
export async function readCpuQuota(root = '/'): Promise<number | null> {
  const groups = await readGroups('cpu', QUOTA_FILES, root);
  const limits = groups.map(({ files }) => {
    const words = files.map(({ text }) => text).join(' ');
    // Without a limit, the quota is `max` or -1.
    const [quota = Number.NaN, period = Number.NaN] = words.split(/\s+/).map(Number);
    return quota / period;
  });
  const cpus = Math.min(...limits.filter((limit) => limit > 0));
  return Number.isFinite(cpus) ? cpus : null;
}

/** Returns the limits of this process's control groups for devices, by their `major:minor`. */
export async function readIoLimits(devices: readonly string[], root = '/'): Promise<IoLimit[]> {
  const groups = await readGroups('blkio', LIMIT_FILES, root);
  // In version 1 only a process's own group counts. A container sees it as `/`.
  const ownV1 = groups.find(({ isV1, files }) => isV1 && files.length > 0);
  const limitFiles = groups.filter((group) => !group.isV1 || group === ownV1).flatMap(({ files }) => files);
  return limitFiles.flatMap((one) => parseLimits(one, devices));
}

/** Reads the files of a controller in each group of this process, the own group first. */
async function readGroups(controller: string, names: typeof QUOTA_FILES, root: string): Promise<Group[]> {
  const memberships = (await readAttribute(path.join(root, 'proc/self/cgroup'))) ?? '';
  const groups: Group[] = [];
  for (const line of memberships.split('\n')) {
    // Version 2 has the line `0::/path`; version 1 has a line per controller, such as `4:cpu,cpuacct:/path`.
    const [, controllers, group] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (controllers === undefined || group === undefined) continue;
    const isV1 = controllers !== '';
    if (isV1 && !controllers.split(',').includes(controller)) continue;
    for (const directory of pathWithParents(group)) {
      const files: Group['files'][number][] = [];
      for (const name of names[isV1 ? 'v1' : 'v2']) {
        const file = path.join(CGROUP_FS, controllers, directory, name);
        const text = await readAttribute(path.join(root, file));
        if (text !== null) files.push({ file, text });
      }
      groups.push({ isV1, files });
    }
  }
  return groups;
}

/** Returns `/a/b`, `/a` and `/`: each group limits the groups below it, and a container sees its own group as `/`. */
function pathWithParents(group: string): readonly string[] {
  const parent = path.posix.dirname(group);
  return parent === group ? [group] : [group, ...pathWithParents(parent)];
}

/** Parses lines such as `8:0 rbps=max riops=100` or, in version 1, `8:0 100`. */
function parseLimits({ file, text }: Group['files'][number], devices: readonly string[]): readonly IoLimit[] {
  return text.split('\n').flatMap((line) => {
    const [device = '', ...settings] = line.split(' ');
    if (!devices.includes(device)) return [];
    return settings.flatMap((setting) => {
      const [, key = path.basename(file), value = ''] = /^(?:(\w+)=)?(.*)$/.exec(setting) ?? [];
      const limit = LIMITS.find((one) => one.key === key || one.v1 === key);
      const perSecond = Number(value);
      if (!limit || !(perSecond > 0)) return [];
      return [{ direction: limit.direction, unit: limit.unit, perSecond, file }];
    });
  });
}
