import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** A control group that may limit CPU time, as /proc/self/cgroup lists it. */
interface Group {
  readonly mount: string;
  /** Below that. In a container it may be a path of the host, which is not there. */
  readonly place: string;
  /** How many CPUs the text of its files allows. */
  readonly cpusIn: (read: Read) => Promise<number | null>;
}

/** The words of a group's file. Empty if there is none. */
type Read = (name: string) => Promise<readonly string[]>;

const CGROUP_FS = '/sys/fs/cgroup';

/** How many CPUs' time the control groups of this process may use. Null without a limit. */
export async function cpuQuota(root = '/'): Promise<number | null> {
  const list = await readFile(path.join(root, 'proc/self/cgroup'), 'utf8').catch(() => '');
  const limits: number[] = [];
  for (const { mount, place, cpusIn } of groupsIn(list)) {
    for (const above of pathsUpFrom(place)) {
      const directory = path.join(root, mount, above);
      const cpus = await cpusIn((name) => wordsOf(path.join(directory, name)));
      if (cpus !== null) limits.push(cpus);
    }
  }
  return limits.length === 0 ? null : Math.min(...limits);
}

/** Version 2 has one line, `0::/path`, version 1 one for each controller, such as `4:cpu,cpuacct:/path`. */
function groupsIn(list: string): readonly Group[] {
  return list.split('\n').flatMap((line) => {
    const [, controllers, place] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (controllers === undefined || place === undefined) return [];
    if (controllers === '') return [{ mount: CGROUP_FS, place, cpusIn: cpusOfVersion2 }];
    if (!controllers.split(',').includes('cpu')) return [];
    return [{ mount: path.join(CGROUP_FS, controllers), place, cpusIn: cpusOfVersion1 }];
  });
}

/** `150000 100000`, or `max 100000` without a limit. */
async function cpusOfVersion2(read: Read): Promise<number | null> {
  const [quota, period] = await read('cpu.max');
  return cpusOf(quota, period);
}

/** The quota is -1 without a limit. */
async function cpusOfVersion1(read: Read): Promise<number | null> {
  const [[quota], [period]] = [await read('cpu.cfs_quota_us'), await read('cpu.cfs_period_us')];
  return cpusOf(quota, period);
}

function cpusOf(quota: string | undefined, period: string | undefined): number | null {
  const cpus = Number(quota) / Number(period);
  return Number.isFinite(cpus) && cpus > 0 ? cpus : null;
}

async function wordsOf(file: string): Promise<readonly string[]> {
  return (await readFile(file, 'utf8').catch(() => '')).split(/\s+/);
}

/** `/a/b`, `/a` and `/`: each limits those below. */
function pathsUpFrom(place: string): readonly string[] {
  const above = path.posix.dirname(place);
  return above === place ? [place] : [place, ...pathsUpFrom(above)];
}
