import path from 'node:path';
import { readAttribute } from './sysfs-attribute.js';

const CGROUP_FS = '/sys/fs/cgroup';

/** The directories of this process's control group and of the groups above it, which also limit it. */
export interface GroupHierarchy {
  readonly isV1: boolean;
  /** The own group first. */
  readonly directories: readonly string[];
}

/** Returns the hierarchies that may have a controller's limits: that of version 2, and the controller's of version 1. */
export async function readGroupHierarchies(
  controller: string,
  root: string,
): Promise<readonly GroupHierarchy[]> {
  const text = await readAttribute(path.join(root, 'proc/self/cgroup'));
  return (text ?? '').split('\n').flatMap((line) => {
    // Version 2 has the line `0::/path`; version 1 has a line per controller, such as `4:cpu,cpuacct:/path`.
    const [, controllers, group] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (controllers === undefined || group === undefined) return [];
    const isV1 = controllers !== '';
    if (isV1 && !controllers.split(',').includes(controller)) return [];
    const directories = pathWithParents(group).map((one) => path.join(CGROUP_FS, controllers, one));
    return [{ isV1, directories }];
  });
}

/** Returns `/a/b`, `/a` and `/`: each group limits the groups below it, and a container sees its own group as `/`. */
function pathWithParents(group: string): readonly string[] {
  const parent = path.posix.dirname(group);
  return parent === group ? [group] : [group, ...pathWithParents(parent)];
}
