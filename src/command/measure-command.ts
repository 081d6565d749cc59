import type { CommandRun } from '../compare/comparison-schema.js';
import { diskstatsNames } from '../run/kernel/counters.js';
import { type ControlGroup, endGroup } from '../scratch/control-group.js';
import { diffCommandCounters, readCommandCounters } from './counters.js';
import type { CommandCache } from './empty-cache.js';
import { runCommand, shellCommand } from './run-command.js';
import type { WorkDirectory } from './work-directory.js';

/** A command and how to run it, the same on all sides. */
export interface CommandSetup {
  readonly words: readonly string[];
  /** A line for the shell that runs before each run and does not count. */
  readonly prepare: string | null;
  readonly cache: CommandCache;
  readonly group: ControlGroup | null;
  readonly signal: AbortSignal;
  readonly print: (text: string) => void;
}

/** Prepares a side and runs the command there. Returns null after an abort. */
export async function measureCommand(work: WorkDirectory, setup: CommandSetup): Promise<CommandRun | null> {
  const { words, prepare, cache, group, signal, print } = setup;
  await work.prepare(signal);
  const place = {
    workDirectory: work.path,
    scratchDirectory: work.scratchDirectory,
    membersFile: group?.membersFile ?? null,
    signal,
    print,
  };
  if (prepare !== null && !(await runCommand(shellCommand(prepare), place))) return null;
  if (!signal.aborted) await cache.empty(work);
  const { target } = work.machine;
  const diskNames = diskstatsNames(target);
  try {
    const before = await readCommandCounters(group, diskNames);
    const result = await runCommand(words, place);
    const after = await readCommandCounters(group, diskNames);
    if (!result) return null;
    const counted = diffCommandCounters(before, after, target.isMemory);
    // The control group counts in microseconds, the shell in ticks.
    return { ...counted, ...result, cpuSeconds: counted.cpuSeconds ?? result.cpuSeconds };
  } finally {
    // A process in the background would disturb the other side's run.
    if (group) await endGroup(group.directory).catch(() => {});
    await work.endProcesses();
  }
}
