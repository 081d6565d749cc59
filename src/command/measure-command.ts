import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { CommandRun } from '../compare/comparison-schema.js';
import type { Target } from '../machine/machine-schema.js';
import { syncEverything } from '../run/cache/cache-method.js';
import type { PageCache } from '../run/cache/page-cache.js';
import { diskstatsNames } from '../run/kernel/counters.js';
import { type ControlGroup, endGroup } from '../scratch/control-group.js';
import type { Scratch } from '../scratch/scratch.js';
import { diffCommandCounters, readCommandCounters } from './counters.js';
import { runCommand, shellCommand } from './run-command.js';
import type { SourceTree } from './tree.js';
import { fillWorkDirectory } from './work-directory.js';

/** A command and how to run it, the same on all sides. */
export interface CommandSetup {
  readonly words: readonly string[];
  /** A line for the shell that runs before each run and does not count. */
  readonly prepare: string | null;
  /** The files that the command gets copies of. Null if it starts in an empty directory. */
  readonly tree: SourceTree | null;
  readonly cache: PageCache;
  readonly group: ControlGroup | null;
  readonly signal: AbortSignal;
  /** Receives what the command prints. */
  readonly print: (text: string) => void;
}

/** Prepares a side and runs the command there. Returns null after an abort. */
export async function measureCommand(
  scratch: Scratch,
  target: Target,
  setup: CommandSetup,
): Promise<CommandRun | null> {
  const { words, prepare, tree, cache, group, signal } = setup;
  await fillWorkDirectory(scratch, tree, signal);
  if (prepare !== null && !(await runCommand(shellCommand(prepare), scratch, setup))) return null;
  await cache.empty(syncEverything, () => listFiles(scratch.commandDirectory), signal);
  const diskNames = diskstatsNames(target);
  try {
    const before = await readCommandCounters(group, diskNames);
    const result = await runCommand(words, scratch, setup);
    const after = await readCommandCounters(group, diskNames);
    if (!result) return null;
    const counted = diffCommandCounters(before, after, target.isMemory);
    // The control group counts in microseconds, the shell in ticks.
    return { ...counted, ...result, cpuSeconds: counted.cpuSeconds ?? result.cpuSeconds };
  } finally {
    // A process in the background would disturb the other side's run.
    if (group) await endGroup(group.directory).catch(() => {});
    await scratch.endProcesses();
  }
}

async function listFiles(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}
