import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { access, lstat, mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { hasCode } from '../system-error.js';
import { isOwnedByUs, retryWhileBusy } from './own-files.js';
import { currentOwner, isAlive } from './owner.js';

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
      // The environment of a zombie is empty, and the environment of another user's process is not readable.
      const environment = await readFile(`/proc/${id}/environ`, 'latin1').catch(() => '');
      return `\0${environment}`.includes(mark) ? [Number(id)] : [];
    }),
  );
  return found.flat();
}

/** The name of a control group proves its owner: `gobonnie-PID-START-NAMESPACE`. The kernel keeps no group over a boot. */
const GROUP_NAME = /^gobonnie-(\d+)-(\d+)-(\d+)$/;

/** Returns the name of this process's group. Null if the kernel does not show the facts that identify a process. */
function groupName(): string | null {
  const { pid, startTime, pidNamespace } = currentOwner();
  const name = `gobonnie-${pid}-${startTime}-${namespaceNumber(pidNamespace)}`;
  return GROUP_NAME.test(name) ? name : null;
}

/** Returns the number in `pid:[4026531836]`. */
function namespaceNumber(namespace: string): string {
  return namespace.replace(/\D/g, '');
}

/** Finds this user's control groups whose owner is dead. Processes of other containers cannot be judged. */
export async function findDeadControlGroups(): Promise<readonly string[]> {
  const ownNamespace = namespaceNumber(currentOwner().pidNamespace);
  const found: string[] = [];
  const search = async (directory: string): Promise<void> => {
    const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.filter((one) => one.isDirectory())) {
      const group = path.join(directory, entry.name);
      const [, pid, startTime = '', namespace] = GROUP_NAME.exec(entry.name) ?? [];
      if (pid === undefined) await search(group);
      else if (namespace === ownNamespace && !isAlive({ pid: Number(pid), startTime }))
        if (isOwnedByUs(await lstat(group))) found.push(group);
    }
  };
  for (const mount of MOUNTS) if (existsSync(path.join(mount, MEMBERS_FILE))) await search(mount);
  return found;
}

/**
 * Creates a control group below this process's group, in which the kernel counts how long a command's processes wait for
 * I/O. Returns its directory; null where this user may not, or where the kernel would not count. `register` is called
 * with its path before it exists.
 */
export async function createControlGroup(register: (directory: string) => void): Promise<string | null> {
  const memberships = await readFile('/proc/self/cgroup', 'utf8').catch(() => '');
  const [, own] = /^0::(.*)$/m.exec(memberships) ?? [];
  const name = groupName();
  if (own === undefined || name === null) return null;
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
