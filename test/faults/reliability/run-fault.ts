import { type ChildProcess, execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  type StatsFs,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { isInside, parseMountInfo } from '../../../src/machine/mount.js';
import type { Report } from '../../../src/report/schema/report.js';
import { MIB } from '../../../src/text/units.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { findWatchers } from '../../support/programs/leftover.js';
import { isStopped } from '../../support/programs/process-state.js';
import { ENTRY, type ExitResult, startProcess } from '../../support/programs/program.js';
import { countReadBytes } from '../../support/programs/running-program.js';
import { type Fault, PAUSES } from './faults.js';

/** The outcome of a fault. */
export interface Observation extends ExitResult {
  readonly dir: string;
  readonly work: string;
  /** Lines of stderr that begin with `gobonnie: `. */
  readonly errorLines: readonly string[];
  /** Paths that gobonnie left behind. */
  readonly leftovers: readonly string[];
  /** Files in `$DIR` that are not gobonnie's, before the run and after it. */
  readonly userFiles: { readonly before: object; readonly after: object };
  /** True if anything was created in `$DIR`, even for a short time. */
  readonly touched: boolean;
  /** The filesystem when the fault was injected; null without an injection. */
  readonly filesystemAtFault: StatsFs | null;
  /** The report in `$WORK/report.json`, or null. */
  readonly report: Report | null;
}

const TIMEOUT_MS = 30_000;
const POLL = { timeout: TIMEOUT_MS, interval: 5 };
/** More than the 40,000 operations of the warm-up read. */
const IOPS_BYTES = 24 * MIB;
const CONTROLLERS = ['memory', 'pids', 'blkio'];
/** A separate user, so other tests cannot use up its limits. */
const UID = 60_000 + (process.pid % 5000);
/** The project may be in a directory that only root can enter. */
const READ_EVERYWHERE = '--inh-caps=+dac_read_search --ambient-caps=+dac_read_search';
/** Matches the scratch directory, and a report file before its rename. */
const OWN = /(^|\/)(gobonnie-[^/]+|\.[^/]+\.gobonnie-[^/]+)$/;
const WITHIN_OWN = /(^|\/)gobonnie-[^/]+\//;
const PROGRAMS =
  'mount umount mountpoint losetup mkfs.ext4 mkfs.xfs mkfs.btrfs btrfs xfs_io chattr filefrag awk dd bindfs nbdfuse nbdkit prlimit strace mkfifo mknod'.split(
    ' ',
  );

/** Returns the tools that a fault needs, for `requireTools`. */
export function requiredTools({ setup = '', command, inject = '', restore = '' }: Fault): readonly string[] {
  const script = [setup, command, inject, restore].join('\n');
  const programs = PROGRAMS.filter((name) => script.split(/[\s;()|]+/).includes(name));
  const tools = ['root', ...programs, ...(script.match(/\/sys\/fs\/cgroup\/\w+/g) ?? [])];
  if (inject) tools.push('strace');
  if (script.includes('$NOBODY')) tools.push('setpriv');
  if (/bindfs|nbdfuse/.test(script)) tools.push('/dev/fuse');
  return tools;
}

/** Prepares the fault, runs the command and collects the outcome. The test removes all files at its end. */
export async function runFault(fault: Fault): Promise<Observation> {
  // On a disk: for an image in RAM, gobonnie does not drop the page cache.
  const work = makeDirectory(os.tmpdir());
  onTestFinished(() => cleanUp(work));
  const dir = path.join(work, 'dir');
  const env = prepareEnvironment(work, dir);
  const sh = (script: string) => runScript(script, env, path.join(work, 'log'));
  if (fault.setup) sh(fault.setup);
  const keepsFiles = !fault.hasNoUserFile;
  const mine = path.join(dir, 'mine');
  // Flushes the file, because the device may disappear.
  if (keepsFiles && !existsSync(mine)) writeFileSync(mine, 'mine', { flush: true });
  const before = keepsFiles ? describeUserFiles(dir) : {};
  const changedMs = existsSync(dir) ? statSync(dir).mtimeMs : null;
  const { exitResult, filesystemAtFault } = await runCommand(fault, { dir, work, env, sh });
  if (fault.restore) sh(fault.restore);
  const out = path.join(work, 'report.json');
  return {
    ...exitResult,
    dir,
    work,
    errorLines: exitResult.stderr.split('\n').filter((line) => line.startsWith('gobonnie: ')),
    leftovers: listEntries(dir)
      .filter((entry) => OWN.test(entry))
      .map((entry) => path.join(dir, entry)),
    userFiles: { before, after: describeUserFiles(dir) },
    touched: statSync(dir).mtimeMs !== changedMs,
    filesystemAtFault,
    report: existsSync(out) ? JSON.parse(readFileSync(out, 'utf8')) : null,
  };
}

interface Sandbox {
  readonly dir: string;
  readonly work: string;
  readonly env: NodeJS.ProcessEnv;
  readonly sh: (script: string) => void;
}

function prepareEnvironment(work: string, dir: string): NodeJS.ProcessEnv {
  const bin = path.join(work, 'bin');
  chmodSync(work, 0o755);
  for (const directory of [dir, bin]) mkdirSync(directory);
  const program = `#!/bin/sh\nexec '${process.execPath}' '${ENTRY}' "$@"\n`;
  writeFileSync(path.join(bin, 'gobonnie'), program, { mode: 0o755 });
  return {
    DIR: dir,
    WORK: work,
    NAME: path.basename(work),
    NOBODY: `setpriv --reuid=${UID} --regid=${UID} --clear-groups ${READ_EVERYWHERE}`,
    PATH: `${bin}${path.delimiter}${process.env.PATH}`,
  };
}

/** Runs the command, and stops the program while `inject` runs. */
async function runCommand({ command, at = 'write', inject }: Fault, { dir, work, env, sh }: Sandbox) {
  const log = path.join(work, 'calls');
  const shell = ['sh', '-c', inject ? `exec ${command}` : command];
  const [program = '', ...args] = inject ? [...stopAt(PAUSES[at], log), ...shell] : shell;
  const { child, exitResult } = startProcess(program, args, { env });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exitResult;
  });
  if (!inject) return { exitResult: await exitResult, filesystemAtFault: null };
  const isStoppedByStrace = () => existsSync(log) && readFileSync(log, 'utf8').includes('stopped by SIGSTOP');
  await Promise.race([
    at === 'iops' ? stopInIops(child) : vi.waitUntil(isStoppedByStrace, POLL),
    exitResult.then(({ stderr }) => expect.fail(`the program ended before it was stopped: ${stderr}`)),
  ]);
  const filesystemAtFault = statfsSync(dir);
  const watchers = findWatchers(child.pid ?? 0);
  sh(inject);
  child.kill('SIGCONT');
  const outcome = await exitResult;
  // A watcher that removes files keeps the filesystem busy.
  await vi.waitUntil(() => watchers.every((pid) => !existsSync(`/proc/${pid}`)), POLL);
  return { exitResult: outcome, filesystemAtFault };
}

/** Returns a prefix that stops a program at an exact system call, however busy the machine is. */
function stopAt(pause: (typeof PAUSES)[keyof typeof PAUSES], log: string): readonly string[] {
  if (!('call' in pause)) return [];
  const { call, number } = pause;
  const stop = ['-e', `trace=${call}`, '-e', `inject=${call}:signal=SIGSTOP:when=${number}`];
  // With -D, strace is a grandchild and the command itself is the child.
  return ['strace', '-D', '-f', '-qq', '-o', log, ...stop];
}

/** Stops the program when it has read for a while after it printed the rate of the read phase. */
async function stopInIops(child: ChildProcess): Promise<void> {
  const program = { pid: child.pid ?? 0 };
  let printed = '';
  child.stdout?.on('data', (text: string) => {
    printed += text;
  });
  await vi.waitUntil(() => printed.includes('Sequential Read'), POLL);
  const before = countReadBytes(program);
  await vi.waitUntil(() => countReadBytes(program) > before + IOPS_BYTES, POLL);
  child.kill('SIGSTOP');
  await vi.waitUntil(() => isStopped(program.pid), POLL);
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

/** Returns the state of every file that is not gobonnie's, to compare it before and after a run. */
function describeUserFiles(directory: string): Readonly<Record<string, unknown>> {
  const userFiles = listEntries(directory).filter((entry) => !OWN.test(entry) && !WITHIN_OWN.test(entry));
  return Object.fromEntries(
    userFiles.map((entry) => {
      const file = path.join(directory, entry);
      const stats = lstatSync(file);
      const { mode, size, mtimeMs } = stats;
      // A directory's times change when files in it are created or removed.
      if (stats.isDirectory()) return [entry, { mode }];
      return [entry, { mode, size, mtimeMs, content: stats.isFile() ? readFileSync(file, 'latin1') : null }];
    }),
  );
}

function listEntries(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' });
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
