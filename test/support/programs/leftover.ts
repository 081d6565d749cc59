import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, vi } from 'vitest';
import { MARKER_NAME } from '../../../src/scratch/marker.js';
import type { Owner } from '../../../src/scratch/owner.js';
import { findScratch, makeDirectory } from '../disks/directory.js';
import { readProcessStat } from './process-state.js';
import type { ProgramOptions } from './program.js';
import { type RunningProgram, startGobonnieForTest, untilReading } from './running-program.js';

const PHASES_BEFORE_IOPS = 'write,rewrite,read,create,create-random,stat';
const LONG_RUN = [
  ...['-v', '--size', '0.01', '--threads', '2', '--files', '50', '--phases', `${PHASES_BEFORE_IOPS},iops`],
  ...['--iops-duration', '600'],
];

/** Starts a run that does not end on its own; resolves when it has created all files and opened those it needs. */
export async function startLongRun(
  dir: string,
  flags: readonly string[] = [],
  options: ProgramOptions = {},
): Promise<RunningProgram> {
  const program = startGobonnieForTest(['--dir', dir, ...LONG_RUN, ...flags], options);
  await program.untilStderr(/statted/);
  await untilReading(program);
  return program;
}

export function findWatchers(pid: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => {
      const [, parent] = readProcessStat(child);
      return Number(parent) === pid;
    });
}

/** Ends a run with a signal, and waits until its watcher has also ended. */
export async function endWithWatcher(program: RunningProgram, signal: NodeJS.Signals): Promise<void> {
  const [watcher, ...others] = findWatchers(program.pid);
  expect(watcher).toBeDefined();
  expect(others).toEqual([]);
  program.kill(signal);
  await program.exitResult;
  await vi.waitUntil(() => !existsSync(`/proc/${watcher}`), { timeout: 100_000 });
}

/** Kills a run together with its watcher, like a power failure. */
export async function killWithWatcher(program: RunningProgram): Promise<void> {
  for (const watcher of findWatchers(program.pid)) process.kill(watcher, 'SIGKILL');
  program.kill('SIGKILL');
  await program.exitResult;
}

const MAX_ARCHIVE_BYTES = 64 * 1024 ** 2;
let archive: Promise<Buffer> | undefined;

/** Creates the scratch directory of a run that was killed with its watcher. Most tests share the files of one run. */
export async function createLeftover(
  dir: string,
  flags: readonly string[] = [],
  options: ProgramOptions = {},
): Promise<string> {
  if (existsSync(dir) && flags.length === 0 && options.as === undefined) {
    archive ??= archiveLeftover();
    const scratch = mkdtempSync(path.join(dir, 'gobonnie-'));
    execFileSync('tar', ['-xp', '-C', scratch], { input: await archive });
    return scratch;
  }
  await killWithWatcher(await startLongRun(dir, flags, options));
  return findScratch(dir) ?? 'no leftover';
}

async function archiveLeftover(): Promise<Buffer> {
  const dir = makeDirectory();
  await killWithWatcher(await startLongRun(dir));
  return execFileSync('tar', ['-c', '-C', findScratch(dir) ?? dir, '.'], { maxBuffer: MAX_ARCHIVE_BYTES });
}

export function changeOwner(scratch: string, changes: Partial<Owner>): void {
  const file = path.join(scratch, MARKER_NAME);
  const marker = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, `${JSON.stringify({ ...marker, owner: { ...marker.owner, ...changes } })}\n`);
}
