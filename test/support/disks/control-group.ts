import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished, vi } from 'vitest';

const CGROUP_FS = '/sys/fs/cgroup';

/** The file by which `requireTools` finds the groups of version 1 that limit I/O. */
export const IO_LIMIT_FILE = path.join(CGROUP_FS, 'blkio/blkio.throttle.read_iops_device');

/** A control group of version 1. */
export interface ControlGroup {
  readonly directory: string;
  /** Prefix of a command that runs in the group. */
  readonly as: readonly string[];
  set(file: string, value: string): void;
}

/** Creates a control group for one test. */
export function makeControlGroup(controller: 'blkio' | 'cpu'): ControlGroup {
  const directory = path.join(CGROUP_FS, controller, `test-${process.pid}-${Date.now()}`);
  mkdirSync(directory);
  // The watcher, which outlives gobonnie to clean up, may still be exiting.
  onTestFinished(() => vi.waitFor(() => rmdirSync(directory), { timeout: 30_000 }));
  return {
    directory,
    as: ['sh', '-c', `echo 0 > ${directory}/cgroup.procs && exec "$@"`, 'sh'],
    set: (file, value) => writeFileSync(path.join(directory, file), value),
  };
}
