import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** A control group that may limit CPU time, as /proc/self/cgroup lists it. */
interface ControlGroup {
  readonly mount: string;
  /** Path below the mount. In a container, it may be a path of the host, which does not exist there. */
  readonly groupPath: string;
  /** Returns the number of CPUs that its files allow. Null without a limit. */
  readonly readCpus: (read: ReadGroupFile) => Promise<number | null>;
}

/** Returns the words of a group's file. */
type ReadGroupFile = (name: string) => Promise<readonly string[]>;

const CGROUP_FS = '/sys/fs/cgroup';

/** Returns the number of CPUs that this process may use, by the quota of its control groups. Null without a limit. */
export async function readCpuQuota(root = '/'): Promise<number | null> {
  const list = await readFile(path.join(root, 'proc/self/cgroup'), 'utf8').catch(() => '');
  const limits: number[] = [];
  for (const { mount, groupPath, readCpus } of parseGroups(list)) {
    for (const ownOrParentPath of pathWithParents(groupPath)) {
      const directory = path.join(root, mount, ownOrParentPath);
      const cpus = await readCpus((name) => readWords(path.join(directory, name)));
      if (cpus !== null) limits.push(cpus);
    }
  }
  return limits.length === 0 ? null : Math.min(...limits);
}

/** Version 2 has the line `0::/path`; version 1 has a line per controller, such as `4:cpu,cpuacct:/path`. */
function parseGroups(list: string): readonly ControlGroup[] {
  return list.split('\n').flatMap((line) => {
    const [, controllers, groupPath] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (controllers === undefined || groupPath === undefined) return [];
    if (controllers === '') return [{ mount: CGROUP_FS, groupPath, readCpus: readCpusV2 }];
    if (!controllers.split(',').includes('cpu')) return [];
    return [{ mount: path.join(CGROUP_FS, controllers), groupPath, readCpus: readCpusV1 }];
  });
}

/** Parses `150000 100000`, or `max 100000` without a limit. */
async function readCpusV2(read: ReadGroupFile): Promise<number | null> {
  const [quota, period] = await read('cpu.max');
  return computeCpus(quota, period);
}

/** The quota is -1 without a limit. */
async function readCpusV1(read: ReadGroupFile): Promise<number | null> {
  const [quota] = await read('cpu.cfs_quota_us');
  const [period] = await read('cpu.cfs_period_us');
  return computeCpus(quota, period);
}

function computeCpus(quota: string | undefined, period: string | undefined): number | null {
  const cpus = Number(quota) / Number(period);
  return Number.isFinite(cpus) && cpus > 0 ? cpus : null;
}

async function readWords(file: string): Promise<readonly string[]> {
  return (await readFile(file, 'utf8').catch(() => '')).split(/\s+/);
}

/** Returns `/a/b`, `/a` and `/`: each group limits the groups below it. */
function pathWithParents(groupPath: string): readonly string[] {
  const parent = path.posix.dirname(groupPath);
  return parent === groupPath ? [groupPath] : [groupPath, ...pathWithParents(parent)];
}
