import { execFile } from 'node:child_process';
import { access, mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { hasCode } from '../system-error.js';
import { retryWhileBusy } from './safe-path/own-file.js';

/** Environment variable of a command that runs in a scratch directory, and of every process that it starts. */
export const SCRATCH_VARIABLE = 'GOBONNIE_SCRATCH';
const WAIT_MS = 20;
/** A process that the kernel cannot end, because its disk does not respond, must not keep this one waiting. */
const MAX_WAITS = 100;

/** Where version 2 of control groups may be mounted: alone, or beside version 1. */
const MOUNTS = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'] as const;
/** A process that writes its ID to this file of a group joins the group. */
export const MEMBERS_FILE = 'cgroup.procs';
export const PRESSURE_FILE = 'io.pressure';

/**
 * Ends the processes that a command started in a scratch directory and in its control group, if it has one: even those
 * that left its process group. Finds them only on Linux.
 */
export async function endProcesses(
  scratchDirectory: string,
  controlGroup: string | null = null,
): Promise<void> {
  if (controlGroup !== null) await endGroup(controlGroup);
  const mark = Buffer.from(`\0${SCRATCH_VARIABLE}=${scratchDirectory}\0`).toString('latin1');
  for (let waits = 0; waits < MAX_WAITS; waits++) {
    const ids = await findProcesses(mark);
    if (ids.length === 0) return;
    for (const id of ids) {
      try {
        process.kill(id, 'SIGKILL');
      } catch {
        // It has just ended, or belongs to another user.
      }
    }
    await setTimeout(WAIT_MS);
  }
}

async function findProcesses(mark: string): Promise<readonly number[]> {
  const names = await readdir('/proc').catch(() => []);
  const ids = names.filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const found = await Promise.all(
    ids.map(async (id) => {
      // The environment of a zombie is empty, and that of another user's process is not readable.
      const environment = await readFile(`/proc/${id}/environ`, 'latin1').catch(() => '');
      return `\0${environment}`.includes(mark) ? [Number(id)] : [];
    }),
  );
  return found.flat();
}

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

/** Ends all processes of a group, where the kernel can. */
async function endGroup(directory: string): Promise<void> {
  await writeFile(path.join(directory, 'cgroup.kill'), '1').catch(() => {});
}

/** Removes a group and ends its processes. A process that has just started may still join it. */
export async function removeControlGroup(directory: string): Promise<void> {
  await retryWhileBusy(
    async () => {
      await endGroup(directory);
      await rmdir(directory);
    },
    (error) => hasCode(error, 'EBUSY'),
  );
}
