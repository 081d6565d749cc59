import { execFile } from 'node:child_process';
import { access, mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { hasCode } from '../system-error.js';
import { retryWhileBusy } from './safe-path/own-file.js';

/** Where version 2 of control groups may be mounted: alone, or beside version 1. */
const MOUNTS = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'] as const;
/** A process that writes its ID to this file of a group joins the group. */
export const MEMBERS_FILE = 'cgroup.procs';
export const PRESSURE_FILE = 'io.pressure';

/**
 * Creates a control group below that of this process, in which the kernel counts how long a command's processes wait for
 * I/O. Returns its directory; null where this user may not, or where the kernel would not count. `register` is called
 * with its path before it exists.
 */
export async function createControlGroup(
  name: string,
  register: (directory: string) => void,
): Promise<string | null> {
  const memberships = await readFile('/proc/self/cgroup', 'utf8').catch(() => '');
  const [, own] = /^0::(.*)$/m.exec(memberships) ?? [];
  if (own === undefined) return null;
  for (const mount of MOUNTS) {
    const parent = path.join(mount, own);
    const directory = path.join(parent, name);
    try {
      await access(path.join(parent, MEMBERS_FILE));
      register(directory);
      await mkdir(directory);
      await access(path.join(directory, PRESSURE_FILE));
      // Whether a process may join depends on the groups above.
      const joining = ['-c', 'echo $$ > "$0"', path.join(directory, MEMBERS_FILE)];
      await promisify(execFile)('/bin/sh', joining);
      return directory;
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
