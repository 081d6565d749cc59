import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { isInside, parseMountInfo } from '../../../src/machine/mount.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { ENTRY, type StartedProcess, startProcess } from '../../support/programs/program.js';

const TIMEOUT_MS = 30_000;
const CONTROLLERS = ['memory', 'pids', 'blkio'];
/** A separate user, so other tests cannot use up its limits. */
const UID = 60_000 + (process.pid % 5000);
/** The project may be in a directory that only root can enter. */
const READ_EVERYWHERE = '--inh-caps=+dac_read_search --ambient-caps=+dac_read_search';

/** Directories and commands for one fault. The test removes them at its end, even after a failure. */
export interface Sandbox {
  /** `$DIR`, the directory to measure. */
  readonly dir: string;
  /** `$WORK`, for all other files. */
  readonly work: string;
  /** Runs a script; throws if one of its commands fails. */
  readonly sh: (script: string) => void;
  readonly start: (command: readonly string[]) => StartedProcess;
}

export function openSandbox(): Sandbox {
  // On a disk: for an image in RAM, gobonnie does not drop the page cache.
  const work = makeDirectory(os.tmpdir());
  onTestFinished(() => cleanUp(work));
  chmodSync(work, 0o755);
  const dir = path.join(work, 'dir');
  const bin = path.join(work, 'bin');
  for (const directory of [dir, bin]) mkdirSync(directory);
  const program = `#!/bin/sh\nexec '${process.execPath}' '${ENTRY}' "$@"\n`;
  writeFileSync(path.join(bin, 'gobonnie'), program, { mode: 0o755 });
  const env = {
    DIR: dir,
    WORK: work,
    NAME: path.basename(work),
    NOBODY: `setpriv --reuid=${UID} --regid=${UID} --clear-groups ${READ_EVERYWHERE}`,
    PATH: `${bin}${path.delimiter}${process.env.PATH}`,
  };
  return {
    dir,
    work,
    sh: (script) => runScript(script, env, path.join(work, 'log')),
    start: ([command = '', ...args]) => {
      const started = startProcess(command, args, { env });
      onTestFinished(async () => {
        started.child.kill('SIGKILL');
        await started.exitResult;
      });
      return started;
    },
  };
}

function runScript(script: string, env: NodeJS.ProcessEnv, log: string): void {
  // Uses a file, because background processes would keep a pipe open.
  const fd = openSync(log, 'w');
  try {
    execFileSync('sh', ['-euc', script], { env, stdio: ['ignore', fd, fd] });
  } catch (cause) {
    throw new Error(`${script}: ${readFileSync(log, 'utf8')}`, { cause });
  } finally {
    closeSync(fd);
  }
}

/** Unmounting also ends FUSE servers and releases loop devices. */
async function cleanUp(work: string): Promise<void> {
  const mounts = parseMountInfo(readFileSync('/proc/self/mountinfo', 'utf8'));
  for (const mount of mounts.toReversed())
    if (isInside(mount.path, work)) execFileSync('umount', ['--lazy', mount.path]);
  for (const controller of CONTROLLERS) {
    const group = path.join('/sys/fs/cgroup', controller, path.basename(work));
    // The watcher, which outlives gobonnie to clean up, may still be exiting.
    if (existsSync(group)) await vi.waitFor(() => rmdirSync(group), TIMEOUT_MS);
  }
}
