import { execFile } from 'node:child_process';
import { access, mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { hasCode } from '../system-error.js';
import { retryWhileBusy } from './safe-path/own-file.js';

/** Where version 2 of control groups may be mounted: alone, or beside version 1. */
const MOUNTS = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'] as const;
const MEMBERS = 'cgroup.procs';

/** A control group in which the kernel counts how long a command's processes wait for I/O. */
export interface ControlGroup {
  readonly directory: string;
  /** A process that writes its ID to this file joins the group. */
  readonly membersFile: string;
  readonly pressureFile: string;
  readonly cpuFile: string;
}

/**
 * Creates a group below that of this process. Returns null where this user may not, or where the kernel would not count.
 * `register` is called with its path before it exists.
 */
export async function createControlGroup(
  name: string,
  register: (directory: string) => void,
): Promise<ControlGroup | null> {
  const memberships = await readFile('/proc/self/cgroup', 'utf8').catch(() => '');
  const [, own] = /^0::(.*)$/m.exec(memberships) ?? [];
  if (own === undefined) return null;
  for (const mount of MOUNTS) {
    const parent = path.join(mount, own);
    const directory = path.join(parent, name);
    const group = {
      directory,
      membersFile: path.join(directory, MEMBERS),
      pressureFile: path.join(directory, 'io.pressure'),
      cpuFile: path.join(directory, 'cpu.stat'),
    };
    try {
      await access(path.join(parent, MEMBERS));
      register(directory);
      await mkdir(directory);
      await access(group.pressureFile);
      // Whether a process may join depends on the groups above.
      await promisify(execFile)('/bin/sh', ['-c', 'echo $$ > "$0"', group.membersFile]);
      return group;
    } catch {
      await removeControlGroup(directory).catch(() => {});
    }
  }
  return null;
}

/** Ends all processes of a group, even those that left the process group of their command. */
export async function endGroup(directory: string): Promise<void> {
  await writeFile(path.join(directory, 'cgroup.kill'), '1');
}

/** Removes a group and ends its processes. A process that has just started may still join it. */
export async function removeControlGroup(directory: string): Promise<void> {
  await retryWhileBusy(
    async () => {
      await endGroup(directory).catch(() => {});
      await rmdir(directory);
    },
    (error) => hasCode(error, 'EBUSY'),
  );
}
