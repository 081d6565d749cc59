import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** A control group that may limit CPU time, as /proc/self/cgroup lists it. */
interface ControlGroup {
  readonly mount: string;
  /** Below that. In a container it may be a path of the host, which is not there. */
  readonly groupPath: string;
  /** How many CPUs the text of its files allows. */
  readonly readCpus: (read: ReadGroupFile) => Promise<number | null>;
}

/** The words of a group's file. Empty if there is none. */
type ReadGroupFile = (name: string) => Promise<readonly string[]>;

const CGROUP_FS = '/sys/fs/cgroup';

/** How many CPUs' time the control groups of this process may use. Null without a limit. */
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

/** Version 2 has one line, `0::/path`, version 1 one for each controller, such as `4:cpu,cpuacct:/path`. */
function parseGroups(list: string): readonly ControlGroup[] {
  return list.split('\n').flatMap((line) => {
    const [, controllers, groupPath] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (controllers === undefined || groupPath === undefined) return [];
    if (controllers === '') return [{ mount: CGROUP_FS, groupPath, readCpus: readCpusV2 }];
    if (!controllers.split(',').includes('cpu')) return [];
    return [{ mount: path.join(CGROUP_FS, controllers), groupPath, readCpus: readCpusV1 }];
  });
}

/** `150000 100000`, or `max 100000` without a limit. */
async function readCpusV2(read: ReadGroupFile): Promise<number | null> {
  const [quota, period] = await read('cpu.max');
  return computeCpus(quota, period);
}

/** The quota is -1 without a limit. */
async function readCpusV1(read: ReadGroupFile): Promise<number | null> {
  const [[quota], [period]] = [await read('cpu.cfs_quota_us'), await read('cpu.cfs_period_us')];
  return computeCpus(quota, period);
}

function computeCpus(quota: string | undefined, period: string | undefined): number | null {
  const cpus = Number(quota) / Number(period);
  return Number.isFinite(cpus) && cpus > 0 ? cpus : null;
}

async function readWords(file: string): Promise<readonly string[]> {
  return (await readFile(file, 'utf8').catch(() => '')).split(/\s+/);
}

/** `/a/b`, `/a` and `/`: each limits those below. */
function pathWithParents(groupPath: string): readonly string[] {
  const parent = path.posix.dirname(groupPath);
  return parent === groupPath ? [groupPath] : [groupPath, ...pathWithParents(parent)];
}
